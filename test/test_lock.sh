# labels: hdf5
# Two runs with the same result folder: the second is rejected and names the first, whatever it was
# asked to do with the folder; a killed run does not block others.
. "$(dirname "$0")/checks.sh"

cat > scene.yaml <<'YAML'
materials:
  sand: {density: 2500, young: 1e6}
grains:
  bead: {shape: sphere, radius: 2e-3, material: sand}
fill:
  - {grain: bead, count: 20, region: {box: {min: [-0.01, -0.01, 0], max: [0.01, 0.01, 0.1]}}}
walls:
  - {plane: {}, material: sand}
run: {time: 0.01, threads: 1}
output: {checkpoint_every: 0.05}
YAML

start() { # a run without end in `one`, once it has a checkpoint; its process id in $child
    rm -rf one
    "$ERG" run scene.yaml --time 1000 --out one > one.txt 2>&1 &
    child=$!
    for i in $(seq 200); do
        [ -s one/checkpoint.h5 ] && break
        sleep 0.05
    done
}
refused() { # arguments: exit 2, and the owner is named
    timeout 60 "$ERG" run "$@" > out.txt 2> err.txt
    [ $? -eq 2 ] && grep -q "the result folder 'one' is in use by a run in process $child:" err.txt
}

start
ok "the folder of another run" refused scene.yaml --out one
ok "nor with --force" refused scene.yaml --out one --force
ok "nor to resume it" refused --resume one --time 0.5
ok "nor from one of its checkpoints" refused --resume one/checkpoint.h5 --time 0.5
ok "nor under another name" bash -c "cd one && '$ERG' run ../scene.yaml --out ../one --force 2>&1 | grep -q 'process $child:'"
kill -TERM $child
wait $child
ok "the first goes on and is stopped as ever" [ $? -eq 130 ]
ok "and leaves no lock" [ ! -e one/erg.lock ]
ok "its state can be resumed" bash -c "'$ERG' run --resume one --time \$(sed -n 's/.*\"sim_time\": \\([^,]*\\),/\\1/p' one/summary.json) --quiet"

start
kill -KILL $child
wait $child 2> /dev/null
ok "one that was killed leaves its file" [ -e one/erg.lock ]
ok "which holds nobody up" "$ERG" run scene.yaml --out one --force --quiet
ok "and is gone then" [ ! -e one/erg.lock ]

# Both begin with no folder at all: one has it, one is refused, at the start or when it is made.
both=0
for i in $(seq 5); do
    "$ERG" run scene.yaml --out new$i --quiet > a.txt 2>&1 &
    first=$!
    "$ERG" run scene.yaml --out new$i --quiet > b.txt 2>&1
    second=$?
    wait $first
    [ "$(echo "$? $second" | tr ' ' '\n' | sort | xargs)" = "0 2" ] && [ -s new$i/summary.json ] && both=$((both + 1))
done
ok "of two at once one has the folder" [ $both -eq 5 ]

closing_line
