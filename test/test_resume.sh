# A run that was stopped, split or killed and then resumed equals an uninterrupted one: same state,
# same series, same snapshots, byte for byte.
# labels: hdf5
. "$(dirname "$0")/checks.sh"

state() { # the state hash in the JSON of file $1
    sed -n 's/.*"state_hash":"\([0-9a-f]*\)".*/\1/p' "$1"
}

# Emitter, sink, clumps, a moving wall, every kind of probe with a memory: all that must be kept.
cat > scene.yaml <<'YAML'
title: All that must be kept
seed: 7
materials:
  sand: {density: 2500, young: 1e6, rolling: 0.05}
  plate: {density: 2500, young: 1e7, friction: 0.3}
grains:
  bead: {sizes: {uniform: {min: 1.5e-3, max: 2e-3}}, material: sand}
  pair: {shape: dimer, radius: 1.5e-3, material: sand}
fill:
  - {name: bed, grain: pair, count: 200, region: {box: {min: [-0.02, -0.02, 0.02], max: [0.02, 0.02, 0.1]}}}
emitters:
  - {grain: bead, region: {box: {min: [-0.02, -0.02, 0.1], max: [0.02, 0.02, 0.12]}}, rate: 1500,
     velocity: [0, 0, -0.5], spread: 0.1}
sinks:
  - {region: {box: {min: [-1, -1, -1], max: [1, 1, -0.05]}}}
walls:
  - {name: funnel, material: plate,
     funnel: {outlet: [0, 0, 0], outlet_radius: 0.01, top_radius: 0.04, height: 0.03, rim: 0.2},
     motion: [{oscillation: {amplitude: [0.001, 0, 0], frequency: 20}}]}
probes:
  - {name: outlet, flow: {point: [0, 0, -0.01], normal: [0, 0, -1], radius: 0.03}}
  - {name: push, force: {wall: funnel}}
  - {name: bed, height: {}}
  - {name: touch, contacts: {}}
  - {name: mean, field: {bounds: [[-0.04, -0.04, 0], [0.04, 0.04, 0.1]], cells: [4, 4, 5], every: 0.03, samples: 6}}
run: {time: 0.15, threads: 1}
output: {snapshots: [vtk, hdf, ply], contacts: true, every: 0.02, series_every: 0.002, checkpoint_every: 0.1}
YAML

same() { # folder $1 and JSON $2 against the unbroken run
    cmp -s "$1/series.csv" whole/series.csv || { echo "    series differ"; return 1; }
    diff -rq "$1/snapshots" whole/snapshots > diff.txt || { sed 's/^/    /' diff.txt; return 1; }
    diff -rq "$1/fields" whole/fields > diff.txt || { sed 's/^/    /' diff.txt; return 1; }
    [ -n "$(state "$2")" ] && [ "$(state "$2")" = "$(state whole.json)" ] ||
        { echo "    states differ"; return 1; }
}

ok "unbroken run" "$ERG" run scene.yaml --out whole --quiet --json > whole.json
ok "it has rows" [ "$(wc -l < whole/series.csv)" -gt 20 ]
ok "it has fields" [ "$(ls whole/fields/mean-*.vti | wc -l)" -ge 5 ]
ok "it has snapshots" [ "$(ls whole/snapshots | wc -l)" -gt 4 ]

# ---- Outputs change no bit ------------------------------------------------------------------------
ok "run without output" "$ERG" run scene.yaml --no-output --quiet --json > bare.json
ok "outputs change no bit" [ "$(state bare.json)" = "$(state whole.json)" ]
ok "no-output writes nothing" [ ! -e results ]

# ---- Split by --time ------------------------------------------------------------------------------
ok "first part" "$ERG" run scene.yaml --time 0.0777 --out split --quiet
cp -r split split-copy
ok "second part" "$ERG" run --resume split/checkpoint.h5 --quiet --json > split.json
ok "split run is the same" same split split.json
ok "second part, elsewhere, with the scene, on two threads" \
    "$ERG" run scene.yaml --resume split-copy/checkpoint.h5 --out elsewhere --threads 2 --quiet --json \
    > elsewhere.json
ok "run resumed elsewhere is the same" same elsewhere elsewhere.json
ok "resuming what is done changes nothing" \
    "$ERG" run --resume split/checkpoint.h5 --quiet --json > split.json
ok "and it is still the same" same split split.json
ok "a result folder stands for its checkpoint" "$ERG" run --resume split/ --quiet --json > split.json
ok "and goes on in it" same split split.json
mkdir -p empty
"$ERG" run --resume empty --quiet > out.txt 2> err.txt
ok "a folder without one is refused" [ $? -eq 2 ]
ok "by name" grep -q "empty/checkpoint.h5" err.txt

# ---- While a resumed run is running ---------------------------------------------------------------
cp -r whole longer
"$ERG" run --resume longer --time 1000 --quiet 2> /dev/null &
child=$!
sleep 1
ok "the old summary is gone" [ ! -e longer/summary.json ]
kill -INT $child
wait $child
ok "the new one speaks of the new end" grep -q '"status": "stopped"' longer/summary.json
rm -rf longer

# ---- Speed of a resumed run -----------------------------------------------------------------------
cp -r whole later
"$ERG" run --resume later --time 0.151 > later.txt 2> /dev/null
ok "real time counts what this call simulated" /usr/bin/python3 - later.txt later/summary.json whole/summary.json <<'PYTHON'
import json, re, sys
factor = float(re.search(r"\(([^ ]*) x real time", open(sys.argv[1]).read())[1])
now, before = (json.load(open(name)) for name in sys.argv[2:])
expected = (now["sim_time"] - before["sim_time"]) / now["wall_s"]
assert abs(factor / expected - 1) < 0.01, (factor, expected)
PYTHON
rm -rf later

# ---- Stopped by SIGINT ----------------------------------------------------------------------------
wall=$(sed -n 's/.*"wall_s":\([0-9.e-]*\).*/\1/p' whole.json)
"$ERG" run scene.yaml --out stopped --quiet 2> stopped.txt &
child=$!
sleep "$(awk "BEGIN {print $wall / 3}")"
kill -INT $child
wait $child
ok "SIGINT exits 130" [ $? -eq 130 ]
ok "resume after SIGINT" "$ERG" run --resume stopped/checkpoint.h5 --quiet --json > stopped.json
ok "stopped run is the same" same stopped stopped.json

# ---- Killed ---------------------------------------------------------------------------------------
# 20 times, at a random moment between a twentieth and a third of a run after it started or resumed;
# it may be killed again while resuming. Without a checkpoint the run starts over.
killed=0
for i in $(seq 0 19); do
    if [ -e killed/checkpoint.h5 ]; then
        "$ERG" run --resume killed/checkpoint.h5 --quiet 2> killed.txt &
    else
        "$ERG" run scene.yaml --force --out killed --quiet 2> killed.txt &
    fi
    child=$!
    sleep "$(awk -v wall="$wall" -v dice=$RANDOM 'BEGIN {print wall * (0.05 + 0.28 * dice / 32768)}')"
    kill -KILL $child 2> /dev/null && killed=$((killed + 1))
    wait $child 2> /dev/null
    if grep -qv "^warning: grains overlapped" killed.txt; then # they do: the grains are soft
        echo "    $(cat killed.txt)"
        ok "resuming after a kill says nothing" false
    fi
    # A finished run starts over.
    if [ -e killed/summary.json ]; then
        sed 's/": "/":"/' killed/summary.json > done.json
        ok "killed run is the same" same killed done.json
        rm -rf killed
    fi
done
ok "runs were killed" [ $killed -ge 10 ]
[ -e killed/checkpoint.h5 ] || "$ERG" run scene.yaml --force --out killed --time 0.01 --quiet
ok "resume after kills" "$ERG" run --resume killed/checkpoint.h5 --quiet --json > killed.json
ok "killed run is the same" same killed killed.json

# ---- Bad checkpoints ------------------------------------------------------------------------------
refused() { # what must be said, then arguments
    local words=$1 code
    shift
    "$ERG" run "$@" --quiet > out.txt 2> err.txt
    code=$?
    [ $code -eq 2 ] && grep -q "$words" err.txt || { echo "    exit $code: $(cat err.txt)"; return 1; }
}
cp -r whole hurt
printf 'X' | dd of=hurt/checkpoint.h5 bs=1 seek=3000 conv=notrunc status=none
ok "a flipped byte is refused" refused "damaged" --resume hurt/checkpoint.h5
ok "a foreign file is refused" refused "not a checkpoint" --resume scene.yaml
ok "a missing file is refused" refused "No such file" --resume nosuch.h5
ok "another scene is refused" refused "'seed'" --resume whole/checkpoint.h5 --set seed=99
ok "an earlier end is refused" refused "after the requested end time" --resume whole/checkpoint.h5 --time 0.01
ok "and nothing was changed" same whole whole.json

closing_line
