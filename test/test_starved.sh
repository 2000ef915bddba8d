# Runs with too little memory end with a message, never by a signal, and the last good checkpoint
# stays intact.
# labels: hdf5
. "$(dirname "$0")/checks.sh"

cat > scene.yaml <<'YAML'
materials: {sand: {young: 1e6}}
grains: {bead: {material: sand, radius: 1e-3}}
walls: [{material: sand, box: {min: [0, 0, 0], max: [0.05, 0.05, 0.1], open: z-max}}]
fill: [{grain: bead, count: 4000, region: {box: {min: [0, 0, 0], max: [0.05, 0.05, 0.1]}}}]
run: {time: 0.002, threads: 1}
output: {snapshots: hdf, every: 0.001, series_every: 0.001, checkpoint_every: 0.001}
YAML

# With at most $1 KB of addresses.
starved() {
    local most=$1
    shift
    (ulimit -v "$most" && exec "$ERG" "$@") > out.txt 2> err.txt
} 2> /dev/null

# Where the program itself begins to fit, in steps of a MB.
least=8000
until starved $least --version; do least=$((least + 1000)); done

# 0, or 1 with a sentence. Before main, what cannot be loaded is the system's to say: 127.
ended_well() {
    [ "$1" -eq 0 ] || [ "$1" -eq 127 ] || { [ "$1" -eq 1 ] && grep -qE '^(erg|scene\.yaml): ' err.txt; }
}

short=0 enough=0
for k in $(seq 0 39); do
    most=$((least + 300 * k + 37 * (k % 7)))
    rm -rf out
    starved $most run scene.yaml --threads 1 --out out
    code=$?
    ok "run with $most KB: exit $code" ended_well $code
    case $code in 1) short=$((short + 1)) ;; 0) enough=$((enough + 1)) ;; esac
    if [ -e out/checkpoint.h5 ]; then
        erg 0 "" run --resume out --set run.time=0.0025 --threads 1
    fi
done
ok "some runs were short of memory" [ $short -gt 0 ]

rm -rf whole
erg 0 "" run scene.yaml --threads 1 --out whole
for k in $(seq 0 19); do
    most=$((least + 1500 * k))
    rm -rf out
    cp -r whole out
    starved $most run --resume out --set run.time=0.004 --threads 1
    code=$?
    ok "resume with $most KB: exit $code" ended_well $code
    case $code in 1) short=$((short + 1)) ;; 0) enough=$((enough + 1)) ;; esac
    erg 0 "" run --resume out --set run.time=0.005 --threads 1
done
ok "some runs had enough" [ $enough -gt 0 ]
closing_line
