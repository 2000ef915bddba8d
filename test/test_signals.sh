# Signals, full disks and bad physics: whatever ends a run, its state is on the disk and the exit code
# says what happened.
# labels: hdf5
set -u
ERG=${ERG:-build/erg}
ERG=$(realpath "$ERG")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0 failed=0

ok() { # what, then a command that must succeed
    local what=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $what"
    fi
}

says() { # words that file $2 must hold
    grep -q -- "$1" "$2" || { sed 's/^/    /' "$2"; return 1; }
}

cat > scene.yaml <<'YAML'
@SCENE@
YAML

# ---- SIGINT and SIGTERM -----------------------------------------------------------------------------
for signal in INT TERM; do
    rm -rf out
    "$ERG" run scene.yaml --time 1000 --out out > out.txt 2> err.txt &
    child=$!
    sleep 0.6
    kill -$signal $child
    wait $child
    ok "SIG$signal exits 130" [ $? -eq 130 ]
    ok "SIG$signal leaves a checkpoint" [ -s out/checkpoint.h5 ]
    ok "SIG$signal leaves a summary" says '"status": "stopped"' out/summary.json
    ok "SIG$signal says how to go on" says "run --resume out/checkpoint.h5 --time 1000" err.txt
    # The command it names works as it stands.
    command=$(sed -n 's/^    \(.* run --resume .*\) --time 1000$/\1/p' err.txt)
    at=$(sed -n 's/.*"sim_time": \([^,]*\),/\1/p' out/summary.json)
    ok "SIG$signal: the named command goes on" \
        bash -c "$command --time $(awk "BEGIN{print $at + 0.01}") --quiet"
done

# ---- JSON of a stopped run; nothing kept without output ---------------------------------------------
"$ERG" run scene.yaml --time 1000 --no-output --json > out.txt 2> err.txt &
child=$!
sleep 0.6
kill -INT $child
wait $child
ok "without output SIGINT exits 130 too" [ $? -eq 130 ]
ok "and says that nothing was kept" says "nothing to resume" err.txt
ok "JSON is one line" [ "$(wc -l < out.txt)" -eq 1 ]
ok "JSON names the error" says '"error":"stopped at' out.txt
ok "no folder was made" [ ! -e results ]

# ---- A second SIGINT --------------------------------------------------------------------------------
"$ERG" run scene.yaml --time 1000 --out twice --quiet 2> err.txt &
child=$!
sleep 0.4
kill -STOP $child # so that both arrive before it can look
kill -INT $child
kill -CONT $child
kill -INT $child
wait $child
ok "two SIGINT exit 130" [ $? -eq 130 ]

# ---- A full disk ------------------------------------------------------------------------------------
# A limit on the size of files stands for it: the series grows past it, checkpoints do not.
ok "a short run, to learn sizes" \
    "$ERG" run scene.yaml --time 0.01 --set output.snapshots=none --out small --quiet
size=$(stat -c %s small/checkpoint.h5)
(
    ulimit -f $((size / 1024 + 64))
    exec "$ERG" run scene.yaml --time 1000 --set output.snapshots=none --set output.series=1e-5 \
        --set output.checkpoint=0.2 --out full > out.txt 2> err.txt
)
ok "a full disk exits 1" [ $? -eq 1 ]
ok "and says so" says "series.csv: File too large" err.txt
ok "and names the last good checkpoint" says "full/checkpoint.h5" err.txt
ok "from which the run goes on" "$ERG" run --resume full/checkpoint.h5 --set output.series=0.01 \
    --time 0.5 --no-output --quiet

# ---- Bad physics ------------------------------------------------------------------------------------
@BAD@

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
