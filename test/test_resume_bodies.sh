# Bodies in a run: their columns, their snapshots, and that a run that was split equals an
# uninterrupted one, byte for byte.
# labels: hdf5
. "$(dirname "$0")/checks.sh"

state() { # the state hash in the JSON of file $1
    sed -n 's/.*"state_hash":"\([0-9a-f]*\)".*/\1/p' "$1"
}

number() { # key $1 in the JSON of file $2
    sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" "$2"
}

# A cube of 2 cm, in millimetres.
mkdir -p meshes
cat > meshes/cube.obj <<'OBJ'
v -10 -10 -10
v 10 -10 -10
v 10 10 -10
v -10 10 -10
v -10 -10 10
v 10 -10 10
v 10 10 10
v -10 10 10
f 4 3 2 1
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
OBJ

# Free, driven, pushed and stacked ones among beads: all that bodies must keep.
cat > scene.yaml <<'YAML'
title: Bodies among beads
seed: 7
materials:
  sand: {density: 2500, young: 4e7, rolling: 0.05}
  wood: {density: 600, young: 4e7, friction: 0.4}
grains:
  bead: {sizes: {uniform: {min: 1.5e-3, max: 2e-3}}, material: sand}
walls:
  - {name: tray, material: wood, box: {min: [-0.05, -0.03, 0], max: [0.05, 0.03, 0.1], open: z-max}}
  - {name: step, material: wood, mesh: {file: meshes/cube.obj, scale: 1e-3, position: [0.035, 0, 0.01]}}
bodies:
  - {name: cube, material: wood, mesh: {file: meshes/cube.obj, scale: 1e-3}, position: [0, 0, 0.05],
     rotation: {axis: [1, 1, 0], angle: 0.5}, spin: [0, 0, 20]}
  - {name: ball, material: wood, sphere: {radius: 6e-3, segments: 16}, position: [0.035, 0, 0.04]}
  - {name: blade, material: wood, plate: {size: [0.02, 0.05], thickness: 4e-3}, position: [-0.04, 0, 0.0115],
     rotation: {axis: [0, 1, 0], angle: 1.5707963}, motion: {velocity: [0.1, 0, 0]}}
  - {name: paddle, material: wood, box: {size: [0.02, 3e-3, 0.02]}, position: [-0.02, 0, 0.012],
     motion: {servo_torque: {torque: 1e-4, max_rate: 20}}}
  - {name: bricks, material: wood, box: {size: [8e-3, 8e-3, 8e-3]}, position: [0.02, -0.02, 4e-3],
     grid: {count: [1, 1, 3], spacing: [0, 0, 8e-3]}}
fill:
  - {name: beads, grain: bead, count: 400, region: {box: {min: [-0.05, -0.03, 0], max: [0.05, 0.03, 0.08]}}}
run: {time: 0.1, threads: 1}
output: {snapshots: vtk, every: 0.02, series_every: 0.002, checkpoint_every: 0.1}
YAML

same() { # folder $1 and JSON $2 against the unbroken run
    cmp -s "$1/series.csv" whole/series.csv || { echo "    series differ"; return 1; }
    diff -rq "$1/snapshots" whole/snapshots > diff.txt || { sed 's/^/    /' diff.txt; return 1; }
    [ -n "$(state "$2")" ] && [ "$(state "$2")" = "$(state whole.json)" ] ||
        { echo "    states differ"; return 1; }
}

ok "check" "$ERG" check scene.yaml --json > check.json
ok "counts bodies" [ "$(number bodies check.json)" = 7 ]
ok "apart from walls" [ "$(number walls check.json)" = 2 ]
ok "unbroken run" "$ERG" run scene.yaml --out whole --quiet --json > whole.json
ok "counts bodies" [ "$(number bodies whole.json)" = 7 ]

# ---- What is written ------------------------------------------------------------------------------
ok "named bodies have columns, crowds have none" [ "$(head -n 1 whole/series.csv | tr , '\n' | sed -n '9,$s/[.].*//p' | uniq | tr '\n' ' ')" = "cube ball blade paddle " ]
ok "pose, motion, force and torque" grep -q '^time,.*,contacts,cube.x,cube.y,cube.z,cube.qx,cube.qy,cube.qz,cube.qw,cube.vx,cube.vy,cube.vz,cube.wx,cube.wy,cube.wz,cube.fx,cube.fy,cube.fz,cube.tx,cube.ty,cube.tz,ball.x' whole/series.csv
ok "which tell how it moves" /usr/bin/python3 - <<'PYTHON'
import csv, math
rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(open("whole/series.csv"))]
assert len(rows) >= 50
first, last = rows[0], rows[-1]
way = last["blade.x"] - first["blade.x"]
assert abs(way - 0.1 * (last["time"] - first["time"])) < 1e-9, way  # as told
assert last["cube.z"] < first["cube.z"] - 0.01                       # it fell
assert max(r["cube.fz"] for r in rows) > 0 and min(r["blade.fx"] for r in rows) < 0
held = sorted(r["paddle.tz"] for r in rows)[len(rows) // 2]          # not the mean: one hit counts for it all
assert -1e-4 < held < -1e-6, held                                    # back, by less than drives it
assert abs(first["cube.wz"] - 20) < 1e-9 and abs(first["cube.qw"] - math.cos(0.25)) < 1e-9
assert all(abs(sum(r[f"cube.q{k}"] ** 2 for k in "xyzw") - 1) < 1e-9 for r in rows)
# It turns about z alone, as its spin says.
turned = 2 * math.atan2(last["paddle.qz"], last["paddle.qw"])
spun = sum(0.5 * (a["paddle.wz"] + b["paddle.wz"]) * (b["time"] - a["time"]) for a, b in zip(rows, rows[1:]))
assert turned > 0.1 and abs(turned - spun) < 0.1 * turned, (turned, spun)
PYTHON
ok "a film of bodies" [ "$(grep -c 'file="bodies-00000[0-5].vtp"' whole/snapshots/bodies.pvd)" = 6 ]
ok "beside that of grains" [ "$(ls whole/snapshots | grep -c '^bodies-.*vtp$')" = "$(ls whole/snapshots | grep -c '^grains-.*vtp$')" ]

# ---- Bodies in contacts and probes -----------------------------------------------------------------
cat > rest.yaml <<'YAML'
materials: {wood: {density: 600, young: 1e7}}
walls: [{name: floor, material: wood, plane: {}}]
bodies:
  - {name: low, material: wood, box: {size: [0.1, 0.1, 0.1]}, position: [0, 0, 0.0501]}
  - {name: high, material: wood, box: {size: [0.1, 0.1, 0.1]}, position: [0, 0, 0.1503]}
  - {name: alone, material: wood, box: {size: [0.1, 0.1, 0.1]}, position: [1, 0, 0.0501]}
probes: [{name: load, force: {wall: alone}}]
run: {time: 0.3, threads: 1}
YAML
ok "two boxes and one at rest" "$ERG" run rest.yaml --out rest --quiet --json > rest.json
ok "touch in three places" [ "$(number contacts rest.json)" = 3 ]
ok "also in the summary" grep -q '"contacts": 3,$' rest/summary.json
ok "and in the series; a probe of a body feels what the body feels" /usr/bin/python3 - <<'PYTHON'
import csv
rows = list(csv.DictReader(open("rest/series.csv")))
assert float(rows[0]["contacts"]) == 0 and float(rows[-1]["contacts"]) == 3
assert all(r["load." + k] == r["alone." + k] for r in rows for k in ("fx", "fy", "fz"))
weight = 0.1**3 * 600 * 9.81
assert abs(float(rows[-1]["load.fz"]) - weight) < 0.01 * weight
PYTHON

# ---- Outputs change no bit, threads neither --------------------------------------------------------
ok "run without output" "$ERG" run scene.yaml --no-output --threads 2 --quiet --json > bare.json
ok "gives the same state" [ "$(state bare.json)" = "$(state whole.json)" ]

# ---- Split ----------------------------------------------------------------------------------------
ok "first part" "$ERG" run scene.yaml --time 0.0477 --out split --quiet
cp -r split split-copy
cp -r split stale
cp whole/snapshots/* stale/snapshots # as if it had gone on after its checkpoint
ok "a resume without a snapshot" "$ERG" run --resume stale --time 0.05 --quiet
for film in grains bodies; do
    ok "cuts the film of $film" [ "$(grep -c "file=" stale/snapshots/$film.pvd)" = 3 ]
done
ok "second part" "$ERG" run --resume split --quiet --json > split.json
ok "split run is the same" same split split.json
ok "elsewhere, on two threads" "$ERG" run --resume split-copy --out elsewhere --threads 2 --quiet --json > elsewhere.json
ok "run resumed elsewhere is the same" same elsewhere elsewhere.json
"$ERG" run scene.yaml --set bodies.cube.spin='[0, 0, 21]' --resume split --quiet > out.txt 2> err.txt
ok "another body is refused" [ $? -eq 2 ]
ok "by its key" grep -q "bodies.*spin" err.txt

# ---- A mesh that is inside out ---------------------------------------------------------------------
sed 's/^f \(.*\) \(.*\) \(.*\) \(.*\)/f \4 \3 \2 \1/' meshes/cube.obj > meshes/turned.obj
sed 's/cube.obj/turned.obj/' scene.yaml > turned.yaml
told() { # what, then the file: told in it, with the volume in the scene's units
    ok "$1" grep -q "^note: .*turned.obj: the mesh was inside out (volume -8e-06 m^3)" "$2"
}
"$ERG" check turned.yaml > out.txt 2> err.txt
told "a mesh that is inside out is told by check" err.txt
"$ERG" run turned.yaml --time 0.001 --out turned > out.txt 2> err.txt
told "and by the run" err.txt
"$ERG" run --resume turned --time 0.002 > out.txt 2> err.txt
ok "but not when it goes on" [ $? -eq 0 -a -z "$(grep 'inside out' err.txt)" ]

# ---- A mesh that changed --------------------------------------------------------------------------
sed -i 's/^v 10 10 10$/v 10 10 11/' meshes/cube.obj
"$ERG" run --resume whole --time 0.11 --quiet > out.txt 2> err.txt
ok "another mesh is refused" [ $? -eq 2 ]
rm meshes/cube.obj
"$ERG" run --resume whole --time 0.11 --quiet > out.txt 2> err.txt
ok "a mesh that is gone is refused" [ $? -eq 2 ]
ok "by its place" grep -q "there is no mesh 'meshes/cube.obj'" err.txt

closing_line
