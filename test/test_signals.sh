# Signals, full disks and bad physics: whatever ends a run, its state is on disk and the exit code
# states the cause.
# labels: hdf5
. "$(dirname "$0")/checks.sh"

says() { # words that file $2 must hold
    grep -q -- "$1" "$2" || { sed 's/^/    /' "$2"; return 1; }
}

cat > scene.yaml <<'YAML'
seed: 3
materials:
  sand: {density: 2500, young: 1e6}
grains:
  bead: {shape: sphere, radius: 2e-3, material: sand}
fill:
  - {name: bed, grain: bead, count: 60, region: {box: {min: [-0.01, -0.01, 0], max: [0.01, 0.01, 0.1]}}}
walls:
  - {name: floor, plane: {}, material: sand}
probes:
  - {name: bed, height: {}}
run: {time: 0.05, threads: 1}
output: {snapshots: vtk, every: 0.02, series_every: 0.005, checkpoint_every: 0.3}
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
    ok "SIG$signal is answered" says "^stopping after this step; interrupt again to abort at once$" err.txt
    ok "SIG$signal says how to go on" says "run --resume out/checkpoint.h5 --time 1000" err.txt
    # The command in the message works unchanged.
    command=$(sed -n 's/^    \(.* run --resume .*\) --time 1000$/\1/p' err.txt)
    at=$(sed -n 's/.*"sim_time": \([^,]*\),/\1/p' out/summary.json)
    ok "SIG$signal: the named command goes on" \
        bash -c "$command --time $(awk "BEGIN{print $at + 0.01}") --quiet"
done

# ---- Waiting threads yield ------------------------------------------------------------------------------
# The program starts itself once more with a short spin, under the same process id.
spin_of() { # process id: what its environment says
    tr '\0' '\n' < "/proc/$1/environ" | sed -n 's/^GOMP_SPINCOUNT=//p'
}
env -u OMP_WAIT_POLICY -u GOMP_SPINCOUNT -u KMP_BLOCKTIME "$ERG" run scene.yaml --time 1000 --no-output --quiet &
child=$!
for i in $(seq 100); do
    spin=$(spin_of $child)
    [ -n "$spin" ] && break
    sleep 0.05
done
kill -INT $child
wait $child
ok "waiting threads spin for a short time" [ "${spin:-0}" -ge 200 -a "${spin:-0}" -le 20000 ]
env -u OMP_WAIT_POLICY -u KMP_BLOCKTIME GOMP_SPINCOUNT=7 "$ERG" run scene.yaml --time 1000 --no-output --quiet 2> err.txt &
child=$!
sleep 0.6
spin=$(spin_of $child)
kill -INT $child
wait $child
ok "a setting of the user's stays" [ "$spin" = 7 ]

# ---- While a world is built --------------------------------------------------------------------------
# Two million beads are placed at random: nothing is written yet, and one signal ends it at once.
sed 's/count: 60, .*/count: 2000000, placing: random, region: {box: {min: [0, 0, 0], max: [1, 1, 1]}}}/' scene.yaml > crowd.yaml
for command in check run render; do
    out=()
    [ $command = run ] && out=(--out crowd)
    [ $command = render ] && out=(--out crowd.png)
    "$ERG" --version | grep -q -- -draw && [ $command = render ] && continue
    "$ERG" $command crowd.yaml "${out[@]}" > out.txt 2> err.txt &
    child=$!
    sleep 1
    kill -TERM $child
    wait $child
    ok "one signal ends the building of erg $command" [ $? -eq 130 ]
    ok "and erg $command says so" says "^erg: stopped; nothing was written$" err.txt
done
ok "and nothing is there" [ -z "$(ls -d crowd crowd.png 2> /dev/null)" ]

# ---- While an emitter places grains --------------------------------------------------------------------
# Millions at once: one signal ends it soon, and the state before that step is saved.
sed '/^fill:/,/name: bed, grain/d' scene.yaml > flood.yaml
"$ERG" run flood.yaml --out flood > out.txt 2> err.txt \
    --set 'emitters=[{grain: bead, rate: 1e9, region: {box: {min: [0, 0, 1], max: [1, 1, 2]}}}]' &
child=$!
for i in $(seq 100); do
    [ -f flood/series.csv ] && break
    sleep 0.05
done
sleep 1
before=$(date +%s)
kill -TERM $child
wait $child
ok "one signal ends an emission" [ $? -eq 130 ]
ok "within seconds" [ $(($(date +%s) - before)) -le 3 ]
ok "and its step is undone" says '"emitted": 0' flood/summary.json
ok "and the state saved" [ -s flood/checkpoint.h5 ]

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
ok "and no checkpoint" says '"checkpoint":null' out.txt
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
ok "the second, at once, changes nothing" says '"status": "stopped"' twice/summary.json
ok "quiet says nothing of it" bash -c "! grep -q 'interrupt again' err.txt"

# Blocks the run after it has stopped: nobody reads the pipe that replaces its summary.
"$ERG" run scene.yaml --time 1000 --out held > out.txt 2> err.txt &
child=$!
sleep 0.4
mkfifo held/summary.json
kill -INT $child
sleep 0.3
kill -TERM $child
sleep 0.3
ok "a second signal within 1 s is ignored" kill -0 $child
ok "and not answered" bash -c "! grep -q aborted err.txt"
sleep 0.7
kill -TERM $child
wait $child
ok "a later one exits 130" [ $? -eq 130 ]
ok "and says that nothing more was saved" says "^erg: aborted; nothing more was saved$" err.txt

# ---- A full disk ------------------------------------------------------------------------------------
# Simulated by a limit on the size of files: the series exceeds it, checkpoints do not.
ok "a short run, to learn sizes" \
    "$ERG" run scene.yaml --time 0.01 --set output.snapshots=none --out small --quiet
size=$(stat -c %s small/checkpoint.h5)
(
    ulimit -f $((size / 1024 + 512))
    exec "$ERG" run scene.yaml --time 1000 --set output.snapshots=none --set output.series_every=1e-5 \
        --set output.checkpoint_every=0.01 --out full > out.txt 2> err.txt
)
ok "a full disk exits 1" [ $? -eq 1 ]
ok "and says so" says "series.csv: File too large" err.txt
ok "and names the last good checkpoint" says "full/checkpoint.h5" err.txt
ok "from which the run goes on" "$ERG" run --resume full/checkpoint.h5 --set output.series_every=0.01 \
    --time 0.5 --no-output --quiet

# ---- Bad physics ------------------------------------------------------------------------------------
cat > bad.yaml <<'YAML'
materials:
  jelly: {density: 2500, young: 1e4}
grains:
  bead: {shape: sphere, radius: 2e-3, material: jelly}
fill:
  - {grain: bead, count: 20, velocity: [0, 0, -5], region: {box: {min: [-0.01, -0.01, 0.3], max: [0.01, 0.01, 0.4]}}}
walls:
  - {plane: {}, material: jelly}
run: {time: 1}
output: {snapshots: none, checkpoint_every: 1000}
YAML
"$ERG" run bad.yaml --out bad --json > out.txt 2> err.txt
ok "bad physics exits 1" [ $? -eq 1 ]
ok "and says where the state is" says "is saved in bad/checkpoint.h5" err.txt
ok "and names the grain" says "grain" err.txt
ok "the last good state is there" [ -s bad/checkpoint.h5 ]
ok "the series is there" [ -s bad/series.csv ]
ok "the summary says so" says '"status": "failed"' bad/summary.json
ok "JSON has the error and the checkpoint" /usr/bin/python3 -c "
import json
answer, summary = json.load(open('out.txt')), json.load(open('bad/summary.json'))
for a in answer, summary:
    assert a['checkpoint'] == 'bad/checkpoint.h5', a
    assert 'checkpoint' not in a['error'] and '\\n' not in a['error'], a"

# Stopped before it went wrong, then resumed twice: the good checkpoint stays.
ok "a part that goes well" "$ERG" run bad.yaml --out twofold --time 0.01 --quiet
cp twofold/checkpoint.h5 good.h5
for i in 1 2; do
    "$ERG" run --resume twofold --quiet > out.txt 2> err.txt
    ok "resumed, it fails ($i)" [ $? -eq 1 ]
    ok "and keeps the good checkpoint before ($i)" cmp good.h5 twofold/checkpoint-prev.h5
done

closing_line
