# A run of a scene with a terrain: what it writes, that the surface reads back, and that a run that
# was split equals an uninterrupted one, byte for byte.
# labels: hdf5 draw
. "$(dirname "$0")/checks.sh"

state() { # the state hash in the JSON of file $1
    sed -n 's/.*"state_hash":"\([0-9a-f]*\)".*/\1/p' "$1"
}

number() { # key $1 in the JSON of file $2
    sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" "$2"
}

# A ball that falls into sand: columns wake, grains fall asleep.
cat > scene.yaml <<'YAML'
title: Ball into sand
solver: pbd
materials:
  sand: {density: 2500, friction: 0.5}
grains:
  grit: {shape: sphere, sizes: {uniform: {min: 6e-3, max: 7e-3}}, material: sand}
terrain:
  material: sand
  grain: grit
  bounds: [[-0.2, -0.2], [0.2, 0.2]]
  spacing: 0.01
  height: 0.05
  relief: {noise: {amplitude: 5e-3, wavelength: 0.2}}
walls:
  - {name: sides, material: sand, box: {min: [-0.2, -0.2, 0], max: [0.2, 0.2, 1], open: z-max}}
bodies:
  - {name: ball, material: sand, density: 3000, sphere: {radius: 0.015, segments: 16}, position: [0, 0, 0.08], velocity: [0.2, 0, -1]}
run: {time: 0.4, threads: 1}
output: {snapshots: [vtk, hdf], terrain: [png, vti, ply], every: 0.05, series_every: 0.02, checkpoint_every: 0.1}
YAML

same() { # folder $1 and JSON $2 against the unbroken run
    cmp -s "$1/series.csv" whole/series.csv || { echo "    series differ"; return 1; }
    diff -rq "$1/snapshots" whole/snapshots > diff.txt || { sed 's/^/    /' diff.txt; return 1; }
    [ -n "$(state "$2")" ] && [ "$(state "$2")" = "$(state whole.json)" ] ||
        { echo "    states differ"; return 1; }
}

# ---- Numbers ---------------------------------------------------------------------------------------
ok "check" "$ERG" check scene.yaml --json > check.json
ok "counts columns" [ "$(number columns check.json)" = 1600 ]
ok "and their memory" [ "$(number terrain_bytes check.json)" -gt $((1600 * 12)) ]
ok "the terrain is no wall of the scene" [ "$(number walls check.json)" = 1 ]
erg 0 "  1600 columns, " check scene.yaml
ok "unbroken run" "$ERG" run scene.yaml --out whole --quiet --json > whole.json
ok "counts columns" [ "$(number columns whole.json)" = 1600 ]
ok "and grains awake" [ "$(number awake whole.json)" -gt 100 ]
ok "series and summary" /usr/bin/python3 - <<'PYTHON'
import csv, json
rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(open("whole/series.csv"))]
assert list(rows[0])[7:11] == ["contacts", "awake", "frozen", "column_mass"], list(rows[0])
assert rows[0]["awake"] == 0 and rows[0]["column_mass"] > 5
assert rows[-1]["awake"] > 100 and rows[-1]["column_mass"] < rows[0]["column_mass"] - 0.1
s = json.load(open("whole/summary.json"))
assert s["columns"] == 1600 and s["awake"] == s["grains"] == rows[-1]["awake"]
t = s["terrain"]
assert t["frozen"] == rows[-1]["frozen"] and t["column_mass"] == rows[-1]["column_mass"]
assert 0 <= t["low"] < 0.05 < t["high"] < 0.06 and t["woken"] >= s["awake"]
assert abs(s["mass"] + t["frozen_mass"] + t["column_mass"] - rows[0]["column_mass"]) < 1e-6
PYTHON
cat > plain.yaml <<'YAML'
materials: {sand: {density: 2500}}
run: {time: 0.01}
YAML
erg 0 "" run plain.yaml --out plain --json
ok "none of it without a terrain" [ "$(grep -c 'columns\|awake\|terrain' out.txt plain/series.csv plain/summary.json | grep -vc ':0$')" = 0 ]
erg 2 "output.terrain asks for files of a terrain, but the scene has none" check plain.yaml --set output.terrain=png

# ---- A grid that reaches beyond the walls ----------------------------------------------------------
ok "run" "$ERG" run scene.yaml --out wide --quiet --time 0.05 --set terrain.spacing=0.006
ok "its checkpoint is one that a run can have" "$ERG" run scene.yaml --out wide --quiet --time 0.1 --set terrain.spacing=0.006 --resume wide/checkpoint.h5

# ---- Files -----------------------------------------------------------------------------------------
ok "a file of each kind with each snapshot" [ "$(ls whole/snapshots | grep -c '^terrain-00000[0-8]\.\(png\|vti\|ply\)$')" = 27 ]
ok "a list of them" [ "$(grep -c 'file="terrain-00000[0-8].vti"' whole/snapshots/terrain.pvd)" = 9 ]
ok "the same surface in all" /usr/bin/python3 - <<'PYTHON'
import json, struct, zlib
def png(path):
    data, at, rows, text = open(path, "rb").read(), 8, b"", {}
    while at < len(data):
        n, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + n]
        if kind == b"IHDR": nx, ny, bits, colour = struct.unpack(">IIBB", body[:10])
        if kind == b"tEXt": key, value = body.split(b"\0"); text[key.decode()] = float(value)
        if kind == b"IDAT": rows += body
        at += 12 + n
    assert bits == 16 and colour == 0
    rows, out, above, wide = zlib.decompress(rows), [], bytes(2 * nx), 2 * nx
    for y in range(ny):
        kind, row = rows[y * (wide + 1)], bytearray(rows[y * (wide + 1) + 1:(y + 1) * (wide + 1)])
        for i in range(wide):
            a, b, c = row[i - 2] if i > 1 else 0, above[i], above[i - 2] if i > 1 else 0
            p = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
            row[i] = (row[i] + (0, a, b, (a + b) // 2, p)[kind]) & 255
        out.append([text["erg:low"] + v / 65535 * (text["erg:high"] - text["erg:low"])
                    for v in struct.unpack(f">{nx}H", bytes(row))])
        above = bytes(row)
    return [z for row in reversed(out) for z in row], text  # the first row is the upper one
def vti(path):
    data = open(path, "rb").read()
    assert b'WholeExtent="0 39 0 39 0 0" Origin="-0.195 -0.195 0" Spacing="0.01 0.01 0.01"' in data
    at = data.index(b"   _") + 4
    return struct.unpack("<1600f", data[at + 8:at + 8 + 6400])
def ply(path):
    data = open(path, "rb").read()
    at = data.index(b"end_header\n") + 11
    assert b"element vertex 1600\n" in data[:at] and b"element face 3042\n" in data[:at]
    p = [struct.unpack("<ddf", data[at + 20 * k:at + 20 * k + 20]) for k in range(1600)]
    at += 20 * 1600
    assert len(data) == at + 3042 * 13
    for k in (0, 1, 3041):  # normals point up
        n, a, b, c = struct.unpack("<BIII", data[at + 13 * k:at + 13 * k + 13])
        (ax, ay, _), (bx, by, _), (cx, cy, _) = p[a], p[b], p[c]
        assert n == 3 and (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) > 0
    assert all(abs(x - (-0.195 + 0.01 * (k % 40))) < 1e-12 and abs(y - (-0.195 + 0.01 * (k // 40))) < 1e-12
               for k, (x, y, z) in enumerate(p))
    return [z for x, y, z in p]
for frame in 0, 8:
    name = f"whole/snapshots/terrain-00000{frame}."
    (a, text), b, c = png(name + "png"), vti(name + "vti"), ply(name + "ply")
    step = (text["erg:high"] - text["erg:low"]) / 65535
    assert list(b) == c and max(abs(x - y) for x, y in zip(a, b)) <= 0.51 * step
    assert text["erg:low"] == min(b) and text["erg:high"] == max(b)
PYTHON
ok "grains and frozen grains" /usr/bin/python3 - <<'PYTHON'
import csv, re, struct
def array(data, name, letter, columns=1):
    count = int(re.search(rb'NumberOfPoints="(\d+)"', data)[1])
    at = int(re.search(rb'Name="%s"[^>]*offset="(\d+)"' % name, data)[1]) + data.index(b"   _") + 4
    size = struct.calcsize(letter)
    return struct.unpack(f"<{count * columns}{letter}", data[at + 8:at + 8 + size * count * columns])
rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(open("whole/series.csv"))]
for frame, row in (0, rows[0]), (8, rows[-1]):
    data = open(f"whole/snapshots/grains-00000{frame}.vtp", "rb").read()
    frozen, grain = array(data, b"frozen", "I"), array(data, b"grain", "Q")
    assert len(grain) == row["awake"] + row["frozen"] == len(set(grain)), (len(grain), row)
    assert sum(frozen) == row["frozen"] and set(frozen) <= {0, 1}
    still = array(data, b"velocity", "f", 3)
    assert all(still[3 * k] == still[3 * k + 1] == still[3 * k + 2] == 0 for k, f in enumerate(frozen) if f)
    assert set(array(data, b"material", "I")) <= {1} and set(array(data, b"kind", "I")) <= {1}
    assert all(0.00599 <= r <= 0.00701 for r in array(data, b"radius", "f"))
assert sum(frozen) > 0
PYTHON
ok "a picture of the result" "$ERG" render whole --out picture.png --size 64x48

# ---- Reading back ----------------------------------------------------------------------------------
cp whole/snapshots/terrain-000008.png map.png
sed 's/  height: 0.05//; s/  relief: .*/  relief: {heights: {file: map.png}}/' scene.yaml > again.yaml
ok "a terrain from the map of another" "$ERG" run again.yaml --time 0 --out again --quiet --json > again.json
ok "is the same" /usr/bin/python3 - <<'PYTHON'
import json, struct
def vti(path):
    data = open(path, "rb").read()
    at = data.index(b"   _") + 4
    return struct.unpack("<1600f", data[at + 8:at + 8 + 6400])
a, b = vti("whole/snapshots/terrain-000008.vti"), vti("again/snapshots/terrain-000000.vti")
step = (max(a) - min(a)) / 65535
assert max(abs(x - y) for x, y in zip(a, b)) <= 0.52 * step
PYTHON
cmp -s map.png again/snapshots/terrain-000000.png
ok "down to the file" [ $? -eq 0 ]
ok "in another folder" mkdir elsewhere-scenes
cp again.yaml map.png elsewhere-scenes
ok "paths are relative to the scene" "$ERG" check elsewhere-scenes/again.yaml --json > out.txt

# ---- Outputs change no bit, threads neither --------------------------------------------------------
ok "run without output" "$ERG" run scene.yaml --no-output --threads 2 --quiet --json > bare.json
ok "gives the same state" [ "$(state bare.json)" = "$(state whole.json)" ]

# ---- Split -----------------------------------------------------------------------------------------
ok "first part" "$ERG" run scene.yaml --time 0.217 --out split --quiet
cp -r split split-copy
cp whole/snapshots/* split/snapshots # as if it had gone on after its checkpoint
ok "second part" "$ERG" run --resume split --quiet --json > split.json
ok "split run is the same" same split split.json
ok "elsewhere, on two threads" "$ERG" run --resume split-copy --out elsewhere --threads 2 --quiet --json > elsewhere.json
ok "run resumed elsewhere is the same" same elsewhere elsewhere.json
for change in spacing=0.02 height=0.06 angle_stop=0.5 'relief=flat' resistance=2; do
    erg 2 "terrain.${change%%=*}" run scene.yaml --set "terrain.$change" --resume split --quiet
done
ok "another scene, to be resumed" "$ERG" run again.yaml --time 0.1 --out mapped --quiet
cp whole/snapshots/terrain-000000.png map.png
erg 2 "" run --resume mapped --time 0.2 --quiet
ok "a map that changed is told" [ -s err.txt ]
rm map.png
erg 2 "'map.png' cannot be opened as a heightmap" run --resume mapped --time 0.2 --quiet

# ---- Only the terrain ------------------------------------------------------------------------------
ok "files of the terrain alone" "$ERG" run scene.yaml --set 'output={terrain: vti, every: 0.1}' --time 0.2 --out alone --quiet
ok "and no others" [ "$(ls alone/snapshots | tr '\n' ' ')" = "terrain-000000.vti terrain-000001.vti terrain-000002.vti terrain.pvd " ]
ok "--force removes them" "$ERG" run scene.yaml --set 'output={}' --time 0 --out alone --force --quiet
ok "all" [ ! -e alone/snapshots/terrain-000000.vti ]

closing_line
