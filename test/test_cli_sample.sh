# labels: clang
# erg sample: exit codes, messages, JSON, files.
. "$(dirname "$0")/checks.sh"

cat > cube.obj << 'END'
v 0 0 0
v 1 0 0
v 0 1 0
v 1 1 0
v 0 0 1
v 1 0 1
v 0 1 1
v 1 1 1
f 1 3 4 2
f 5 6 8 7
f 1 2 6 5
f 3 7 8 4
f 1 5 7 3
f 2 4 8 6
END

# ---- What it says ---------------------------------------------------------------------------------
erg 0 "closed, manifold, consistently oriented, not self-intersecting" sample cube.obj --radius 0.1
ok "a good mesh is no reason for a note" [ ! -s err.txt ]
ok "volume and centre" grep -q "volume 1 m^3, centre (0.5, 0.5, 0.5) m" out.txt
erg 0 '"count":' sample cube.obj --radius 0.1 --json
ok "one line" [ "$(wc -l < out.txt)" -eq 1 ]
ok "the keys of the contract, within the bar" /usr/bin/python3 -c '
import json
answer = json.load(open("out.txt"))
assert list(answer) == ["count", "off_surface_mean", "off_surface_max", "spacing_mean", "spacing_cv", "hole_max"]
assert answer["off_surface_max"] <= 0.05 and answer["spacing_cv"] <= 0.12 and answer["hole_max"] <= 1.25'
cp out.txt first.txt
for n in 1 2 3; do
    erg 0 '"count":' sample cube.obj --radius 0.1 --json --threads $n
    ok "the same on $n threads" cmp -s out.txt first.txt
done
erg 0 '"count":' sample cube.obj --radius 0.1 --json --seed 7
ok "another seed, another cover" bash -c '! cmp -s out.txt first.txt'

# ---- Files ----------------------------------------------------------------------------------------
erg 0 '"count":' sample cube.obj --radius 0.1 --volume --offset -1 --out fill.ply --json
ok "a PLY with centres inside and radii" /usr/bin/python3 -c '
import json, struct
count = json.load(open("out.txt"))["count"]
head, body = open("fill.ply", "rb").read().split(b"end_header\n")
assert b"element vertex %d\n" % count in head and b"property float radius" in head
assert len(body) == 28 * count
for i in range(count):
    *p, r = struct.unpack_from("<3df", body, 28 * i)
    assert all(0.1 <= x <= 0.9 for x in p) and abs(r - 0.1) < 1e-6, p'
erg 1 "could not write nowhere/a.ply" sample cube.obj --radius 0.1 --out nowhere/a.ply

# ---- Meshes that are wrong ------------------------------------------------------------------------
sed 's/^f \(.*\) \(.*\) \(.*\) \(.*\)/f \4 \3 \2 \1/' cube.obj > inside-out.obj
erg 0 "volume 1 m^3" sample inside-out.obj --radius 0.1
ok "turned, and told" grep -q "note: inside-out.obj: the mesh was inside out (volume -1 m^3)" err.txt
grep -v "^f 2" cube.obj > open.obj
erg 0 "not closed" sample open.obj --radius 0.1
ok "where it is open" grep -qE "note: open.obj: triangle [0-9]+ has an open edge from vertex [0-9]+ at \(1, " err.txt
erg 2 "a volume needs a closed mesh" sample open.obj --radius 0.1 --volume
erg 0 "closed, manifold" sample open.obj --radius 0.1 --volume --fill-holes 4
ok "told" grep -q "note: open.obj: 1 holes filled" err.txt
erg 2 "a.obj: No such file" sample a.obj --radius 1
echo "v 1 2" > short.obj
erg 2 "short.obj:1: a vertex needs 3 coordinates, got 2" sample short.obj --radius 1
ok "no second name in front" bash -c '! grep -q "^erg:" err.txt'
: > empty.stl
erg 2 "empty.stl: the file is empty" sample empty.stl --radius 1
echo x > mesh.txt
erg 2 "a mesh file must end in .obj, .stl or .ply" sample mesh.txt --radius 1
printf 'v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n' > line.obj
erg 2 "line.obj: no triangle of the mesh has an area" sample line.obj --radius 1
"$ERG" sample short.obj --radius 1 --json > out.txt 2> err.txt
ok "an object also then" grep -q '^{"error":"short.obj:1: a vertex needs' out.txt

# ---- Bad usage ------------------------------------------------------------------------------------
erg 2 "'erg sample' needs --radius R" sample cube.obj
erg 2 "'erg sample' needs MESH" sample --radius 1
erg 2 "the radius must be above 0 m, got 0" sample cube.obj --radius 0
erg 2 "--radius must be at least 0, got -1" sample cube.obj --radius -1
erg 2 "--surface and --volume contradict each other" sample cube.obj --radius 1 --surface --volume
erg 2 "choose a larger radius" sample cube.obj --radius 1e-6
erg 2 "the density must be above 0" sample cube.obj --radius 0.1 --density 0
erg 2 "--fill-holes must be a whole number from 3 to 1024" sample cube.obj --radius 1 --fill-holes 2
erg 2 "no point inside the mesh is deep enough" sample cube.obj --radius 0.1 --offset -6

closing_line
