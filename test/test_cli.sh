# The command line is a contract: exit codes, messages, JSON keys, folders.
. "$(dirname "$0")/checks.sh"

keys() { # the JSON on the only line of stdout has exactly these keys
    local want=$1
    [ "$(wc -l < out.txt)" -eq 1 ] || { cat out.txt; return 1; }
    local got
    got=$(/usr/bin/python3 -c 'import json,sys; print(" ".join(json.loads(sys.stdin.read())))' < out.txt)
    [ "$got" = "$want" ] || { echo "    got $got"; return 1; }
}

value() { # of a key in the JSON of out.txt, as Python prints it
    /usr/bin/python3 -c 'import json,sys; print(json.loads(sys.stdin.read())[sys.argv[1]])' "$1" < out.txt
}

json_error() { # arguments: exits 2, and the last line of stdout is an object with an error
    "$ERG" "$@" > out.txt 2> err.txt
    [ $? -eq 2 ] && [ -s err.txt ] && tail -n 1 out.txt | /usr/bin/python3 -c '
import json, sys
answer = json.loads(sys.stdin.read())
assert answer["error"], answer' && [ "$(wc -l < out.txt)" -eq 1 ] || { cat out.txt err.txt; return 1; }
}

cat > scene.yaml <<'YAML'
seed: 3
materials:
  sand: {density: 2500, young: 2e6}
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

# ---- Help and version ---------------------------------------------------------------------------------
erg 0 "erg 0." --version
erg 0 "usage: erg COMMAND" --help
for command in run check scenes view render sample validate bench; do
    erg 0 "usage: erg $command" $command --help
    ok "the help of $command is in the list" bash -c "'$ERG' --help | grep -q '^  $command '"
done
erg 2 "usage: erg COMMAND"
erg 2 "unknown command 'rnu'; did you mean 'run'?" rnu
erg 2 "unknown option '--versoin'; did you mean '--version'?" --versoin
for command in validate; do
    erg 2 "not in this build" $command
done
window=view # of those that are not there
if "$ERG" --version | grep -q -- '+view'; then
    window=
    DISPLAY='' WAYLAND_DISPLAY='' erg 2 "cannot open a window" view scene.yaml
else
    erg 2 "this build of erg has no viewer: install libglfw3-dev" view scene.yaml
fi

for command in $window validate; do
    "$ERG" $command --help > out.txt
    ok "the first line of the help of $command says so" bash -c "head -n 1 out.txt | grep -q 'not in this build'"
    ok "the list of commands says so of $command" bash -c "'$ERG' --help | grep -q '^  $command .*(not in this build)'"
done
# Names and help form two columns; further lines of a help begin in the second.
for command in run check bench sample scenes; do
    "$ERG" $command --help | sed '1,/^options:/d' > out.txt
    ok "options of erg $command are in columns" bash -c "! grep -vE '^  --.{24} [^ ]|^ {29}[^ ]' out.txt"
done
"$ERG" bench --help | sed '/^options:/,$d' | grep '^ ' > out.txt
ok "names of erg bench are in columns" bash -c "! grep -vE '^  [a-z]+ +[^ ]|^ {13}[^ ]' out.txt"
ok "their help too" bash -c "! grep -E '^  [a-z]' out.txt | grep -vE '^  .{10} [^ ]'"
erg 0 "pbd (real time)" run --help
erg 0 "this build has cpu only" check --help
erg 0 "uses fewer where that is faster" run --help
erg 0 "A second signal within 1 s is ignored" run --help

# ---- Options ------------------------------------------------------------------------------------------
erg 2 "unknown option --foce for 'erg run'; did you mean --force?" run scene.yaml --foce
erg 2 "unknown option -x for 'erg run'" run scene.yaml -x
erg 2 "--out needs a value" run scene.yaml --out
erg 2 "--out needs a value" run scene.yaml --out --force
erg 2 "--force takes no value" run scene.yaml --force=1
erg 2 "--time is given twice" run scene.yaml --time 1 --time 2
for bad in abc nan 1s 0,01 "" 0x10 " 1" 1e999; do
    erg 2 "--time must be a number, got '$bad'" run scene.yaml --time "$bad"
done
erg 2 "--time must be at least 0, got -1" run scene.yaml --time -1
for bad in 0 -2 1.5 many; do
    erg 2 "--threads must be a whole number from 1 to 1024, got '$bad'" run scene.yaml --threads $bad
done
erg 2 "--solver must be one of dem pbd, got 'demm'; did you mean dem?" run scene.yaml --solver demm
erg 2 "--backend cuda is not in this build" check scene.yaml --backend cuda
erg 2 "--out and --no-output contradict each other" run scene.yaml --out a --no-output
erg 2 "'erg run' needs SCENE" run
erg 2 "'erg run' does not take the argument 'b.yaml'" run scene.yaml b.yaml
erg 2 "'erg run' does not take the argument '--force'" run -- scene.yaml --force
erg 2 "'erg scenes' does not take the argument 'x'" scenes x
erg 2 "--set needs a path before '=', as in fill.0.count=5000, got '=3'" run scene.yaml --set =3
ok "none of this left anything behind" [ ! -e results ] && [ ! -e a ]

# ---- Scenes -------------------------------------------------------------------------------------------
erg 2 "there is no scene file 'nosuch.yaml'" run nosuch.yaml
erg 2 "there is no scene file 'nowhere/pile'" run nowhere/pile
erg 2 "did you mean 'hourglass'?" check hourglas
erg 2 "hourglass, " check nosuch
ok "it says how to name the folder" grep -q "ERG_SCENES" err.txt
erg 2 "the scene name is empty" check ""
erg 2 "the scene name is empty" run ""
erg 0 "hourglass" scenes
erg 0 '"name":"pile"' scenes --json
ok "keys of scenes --json" keys "folder scenes"
sed 's/density/densty/' scene.yaml > bad.yaml
erg 2 "did you mean 'density'?" run bad.yaml
ok "a bad scene leaves no folder" [ ! -e results ]
cp err.txt run-err.txt
erg 2 "did you mean 'density'?" check bad.yaml
ok "run and check say the same" cmp err.txt run-err.txt
ok "a message with its place has no prefix" grep -q '^bad.yaml:3:' err.txt
erg 2 "--set" run scene.yaml --set fill.0.cout=5
ok "nor has one about --set" grep -q '^--set fill.0.cout: ' err.txt
ok "a bad override leaves no folder" [ ! -e results ]

# ---- check --------------------------------------------------------------------------------------------
erg 0 "dt " check scene.yaml
ok "one is not many" grep -q '1 wall, 1 probe$' out.txt
erg 0 '"ok":true' check scene.yaml --json
ok "keys of check --json" keys "ok scene grains spheres bodies walls dt memory_bytes steps emitters emitted"
ok "grains" [ "$(value grains)" = 60 ]
ok "spheres" [ "$(value spheres)" = 60 ]
ok "walls" [ "$(value walls)" = 1 ]
ok "scene" [ "$(value scene)" = scene ]
"$ERG" check bad.yaml --json > out.txt 2> err.txt
ok "check --json of a bad scene" keys "ok scene error"
erg 2 "the run would need about 10" check scene.yaml --set 'upsample={count: 1000000000}'
ok "check writes nothing" [ ! -e results ]

# ---- run ----------------------------------------------------------------------------------------------
RUN_KEYS="scene solver backend threads grains spheres bodies steps dt sim_time wall_s\
 sphere_steps_per_s grain_steps_per_s contacts max_overlap_ratio kinetic_energy state_hash out"
erg 0 '"scene":"scene"' run scene.yaml --json
ok "keys of run --json" keys "$RUN_KEYS"
ok "out" [ "$(value out)" = results/scene ]
ok "state_hash" bash -c "[[ $(value state_hash) =~ ^[0-9a-f]{16}$ ]]"
ok "ends at the first step at or after its time" /usr/bin/python3 -c "
import json; r = json.load(open('out.txt'))
assert r['sim_time'] >= 0.05 > r['sim_time'] - r['dt'] * (1 + 1e-9), r
assert abs(r['steps'] * r['dt'] - r['sim_time']) < 1e-12"
hash=$(value state_hash)
ok "result folder" [ -s results/scene/series.csv ]
ok "summary is JSON" /usr/bin/python3 -c "
import json; s = json.load(open('results/scene/summary.json'))
assert s['status'] == 'done' and s['state_hash'] == '$hash'"
ok "series begins with its names" \
    grep -q '^time,kinetic,rotational,potential,elastic,dissipated,grains,contacts,bed.height$' results/scene/series.csv
ok "dt and its reason are told" grep -q '^dt ' err.txt

erg 2 "the result folder 'results/scene' is not empty" run scene.yaml
touch results/scene/mine results/scene/snapshots/mine
erg 0 "state $hash" run scene.yaml --force
ok "--force keeps what is not ours" [ -e results/scene/mine ] && [ -e results/scene/snapshots/mine ]
erg 0 "summary.json" run --force scene.yaml --out=other --time 0.01
ok "--out is used" [ -s other/series.csv ]
touch file
erg 2 "file" run scene.yaml --out file
erg 2 "file" run scene.yaml --out file/below

erg 2 "/proc/nosuch" run scene.yaml --out /proc/nosuch/folder

# ---- JSON of what went wrong --------------------------------------------------------------------------
ok "JSON: bad scene" json_error run bad.yaml --json
ok "it names the scene" [ "$(value scene)" = bad ]
ok "JSON: missing scene" json_error run --json nosuch
ok "JSON: no scene" json_error run --json
ok "JSON: bad override" json_error run scene.yaml --set fill.0.cout=5 --json
ok "JSON: empty override" json_error run scene.yaml --set =3 --json
ok "JSON: folder not empty" json_error run scene.yaml --json
ok "JSON: folder that cannot be made" json_error run scene.yaml --out /proc/nosuch/folder --json
ok "JSON: unknown option" json_error run scene.yaml --json --foce
ok "JSON: unknown option first" json_error run --foce scene.yaml --json
ok "JSON: bad number" json_error run scene.yaml --time x --json
ok "JSON: bad choice" json_error run scene.yaml --solver x --json
ok "JSON: bad checkpoint" json_error run --resume scene.yaml --json
ok "JSON: check without a scene" json_error check --json
ok "JSON: check of no name" json_error check "" --json
ok "JSON: check with a bad option" json_error check scene.yaml --threads 0 --json
ok "JSON: check of a bad scene" json_error check bad.yaml --json
ok "JSON: scenes" json_error scenes x --json
ok "JSON: bench" json_error bench nosuch --json
ok "JSON: unknown command" json_error nosuch --json
for command in view render sample validate; do
    DISPLAY='' WAYLAND_DISPLAY='' ok "JSON: $command" json_error $command scene.yaml --json
done
"$ERG" run nosuch -- --json > out.txt 2> err.txt
ok "what stands behind -- is no option" [ ! -s out.txt ]

erg 0 '"out":null' run scene.yaml --no-output --json --quiet
ok "quiet says nothing" [ ! -s err.txt ]
ok "same state without output" [ "$(value state_hash)" = "$hash" ]
for n in 1 2 3; do
    # Fewer threads are tried after 40 steps at the earliest.
    erg 0 "\"threads\":$n," run scene.yaml --no-output --json --threads $n --time 1e-4
    ok "$n threads: few enough steps" [ "$(value steps)" -ge 1 -a "$(value steps)" -lt 40 ]
    erg 0 '"threads":' run scene.yaml --no-output --json --threads $n
    ok "same state on $n threads" [ "$(value state_hash)" = "$hash" ]
done
erg 0 '"grains":40' run scene.yaml --no-output --json --set fill.bed.count=40 --set run.time=0.01
erg 0 "" run scene.yaml --no-output --quiet
ok "quiet without json prints nothing" [ ! -s out.txt ]
erg 0 '"steps":0' run scene.yaml --time 0 --no-output --json

# ---- From any folder ----------------------------------------------------------------------------------
mkdir -p deep/er
ok "bare names work anywhere" bash -c "cd deep/er && '$ERG' check pile > /dev/null"
ok "standard output that is full is a failure" bash -c "'$ERG' check scene.yaml > /dev/full 2> /dev/null; [ \$? -eq 1 ]"

closing_line
