# labels: view screen
# Interaction with the window: balls, air, walls and bodies, by mouse and by keys; sliders. Checked
# by the pixels, the printed output and the saved files.
. "$(dirname "$0")/view_checks.sh"

printf '0 resize 480 360\n0.8 quit\n' | view open.yaml --out a
undisturbed=$(value state_hash)

# ---- Touching -----------------------------------------------------------------------------------------
cat > touch.txt <<'S'
0.0 resize 480 360
0.1 key u
0.3 screenshot before.png
0.3 mouse right 240 190
0.34 screenshot after.png
0.5 key 3
0.5 drag right 200 190 260 200 0.2
0.8 quit
S
view open.yaml --out b < touch.txt
ok "a ball is thrown" [ $? -eq 0 ]
ok "it is one grain more" [ "$(value grains)" = 151 ]
ok "and is seen" [ "$(count b/before.png "$red")" -lt 5 -a "$(count b/after.png "$red")" -gt 150 ]
ok "pulling is commands" [ "$(value commands)" -gt 3 ]
hash=$(value state_hash)
ok "it makes a difference" [ "$hash" != "$undisturbed" ]
view open.yaml --out b --threads 2 < touch.txt
ok "the same script, the same state, on two threads too" [ "$(value state_hash)" = "$hash" ]

# A ball that falls, by key and by mouse; one thrown from there; air in both directions.
ended() { # lines between 0.3 s and 0.6 s: the state that they lead to
    { printf '0 resize 480 360\n0.2 mouse move 240 190\n'; cat; echo '0.7 quit'; } | view open.yaml --out b
    value state_hash
}
by_key=$(echo '0.3 key b' | ended) grains=$(value grains) commands=$(value commands)
ok "B drops a ball" [ "$grains $commands" = "151 1" ]
by_mouse=$(echo '0.3 mouse shift+right 240 190' | ended)
ok "so does Shift + right" [ "$by_mouse" = "$by_key" ]
thrown=$(echo '0.3 mouse right 240 190' | ended)
ok "Ctrl + left throws, like right" [ "$(echo '0.3 mouse ctrl+left 240 190' | ended)" = "$thrown" ]
ok "which is not dropping" [ "$thrown" != "$by_key" ]
printf '0.3 key 2\n0.3 drag right 240 190 242 190 0.2\n' | ended > blown.txt
ok "blowing is commands, and no ball" [ "$(value grains)" = 150 -a "$(value commands)" -gt 3 ]
printf '0.3 key 3\n0.3 drag right 240 190 242 190 0.2\n' | ended > pulled.txt
ok "and not pulling" differs blown.txt pulled.txt

# The side of a tray towards the eye is not drawn, but it is there: a ball that is thrown at sand seen through it
# comes down on the sand. The sandbox, with larger beads.
view sandbox --threads 1 --set 'grains.bead.sizes.uniform={min: 4e-3, max: 5e-3}' --set fill.bed.count=520 --out t <<'S'
0 resize 960 540
0.2 mouse right 480 330
0.9 key ctrl+s
1 quit
S
ok "a ball is thrown at sand behind a wall that is not drawn" [ $? -eq 0 -a "$(value commands)" = 1 ]
ok "it is not lost" grep -q '"lost": 0,' t/summary.json
ok "and rests in the tray" /usr/bin/python3 - t/snapshots/grains-000000.vtp <<'PY'
import re, struct, sys
data = open(sys.argv[1], "rb").read()
blob = data[data.index(b"_", data.index(b"<AppendedData")) + 1:]
head = data[:data.index(b"<AppendedData")].decode()
def floats(name):
    at = int(re.search(r'Name="%s"[^>]*offset="(\d+)"' % name, head)[1])
    kind = re.search(r'type="(\w+)" Name="%s"' % name, head)[1]
    size = struct.unpack("<Q", blob[at:at + 8])[0]
    return [x[0] for x in struct.iter_unpack({"Float32": "<f", "Float64": "<d"}[kind], blob[at + 8:at + 8 + size])]
radius, x, v = floats("radius"), floats("(?:[Pp]oints|position)"), floats("velocity")
ball = radius.index(max(radius))
x, v, r = x[3 * ball:3 * ball + 3], v[3 * ball:3 * ball + 3], radius[ball]
assert r > 5.1e-3 and abs(x[0]) < 0.08 - 0.9 * r and abs(x[1]) < 0.055 - 0.9 * r and 0 < x[2] < 0.06, (x, r)
assert sum(c * c for c in v) < 0.05 ** 2, v
PY
# A ball thrown next to the tray lands on the ground; if the ground is only drawn, none is thrown.
printf '0 resize 480 360\n0.2 mouse right 60 330\n0.8 quit\n' > beside.txt
view open.yaml --set view.ground=auto --out v < beside.txt
ok "no ball on a floor that is only drawn" [ "$(value commands) $(value grains)" = "0 150" ]
sed 's/^walls:/&\n  - {name: ground, material: sand, plane: {}}/; s/0.02], open: z-max/0.02], open: [z-min, z-max]/' open.yaml > held.yaml
view held.yaml --set view.ground=auto --out v < beside.txt
ok "on one that is a wall it lies" [ "$(value commands) $(value grains)" = "1 151" ]
view held.yaml --set view.ground=auto --set 'domain.bounds=[[-0.03, -0.03, -0.01], [0.03, 0.03, 0.2]]' --out v < beside.txt
ok "beyond the bounds of the scene none is thrown" [ "$(value commands) $(value grains)" = "0 150" ]

cat > plate.txt <<'S'
0.0 resize 480 360
0.1 key u
0.4 drag right 240 85 240 150 0.4
0.9 screenshot plate.png
1.0 quit
S
view tray.yaml --out b < plate.txt
ok "a wall follows the mouse" [ "$(value commands)" -gt 1 ]
grep -v drag plate.txt | view tray.yaml --out h
ok "and is seen elsewhere" differs b/plate.png h/plate.png

# ---- Driving by keys -------------------------------------------------------------------------------------
sed 's/^run:/bodies:\n  - {name: blade, material: sand, box: {size: [4e-3, 0.02, 0.01]}, position: [0, 0, 0.05], motion: user}\nrun:/' open.yaml > blade.yaml
view blade.yaml --out g <<'S'
0 resize 320 240
0.1 key g
0.2 key down right
0.6 key up right
0.7 key down pageup
0.9 key up pageup
1 key down shift+left
1.2 key up left
1.3 key g
1.4 key down left
1.6 key up left
1.7 key ctrl+s
1.8 quit
S
ok "a body is driven by keys" [ $? -eq 0 -a "$(value commands)" = 6 ]
ok "to the right of the eye and up" /usr/bin/python3 - g/series.csv <<'PY'
import csv, sys
row = {k: float(v) for k, v in list(csv.DictReader(open(sys.argv[1])))[-1].items()}
# The eye is at (0.05, -0.1): right is (2, 1)/sqrt(5); 0.4 s and 0.2 s at the same speed.
right = (2 * row["blade.x"] + row["blade.y"]) / 5 ** 0.5
ahead = (2 * row["blade.y"] - row["blade.x"]) / 5 ** 0.5
up = row["blade.z"] - 0.05
assert right > 1e-3 and abs(ahead) < 1e-9 and abs(up / right - 0.5) < 0.1, (right, ahead, up)
assert abs(row["blade.vx"]) < 1e-12, "let go, it stands"
PY

# A body that is dragged follows the mouse in the plane that faces the eye.
sed 's/position: \[0, 0, 0.05\]/position: [0, 0, 0.03]/' blade.yaml > low.yaml
view low.yaml --out l <<'S'
0.0 resize 480 360
0.5 mouse down right 240 94
0.6 mouse move 240 64
1.6 mouse up right 240 64
1.7 key ctrl+s
1.8 quit
S
ok "a body is dragged" [ $? -eq 0 -a "$(value commands)" -gt 2 ]
ok "to where the mouse goes" /usr/bin/python3 - l/series.csv <<'PY'
import csv, math, sys
row = {k: float(v) for k, v in list(csv.DictReader(open(sys.argv[1])))[-1].items()}
dot = lambda a, b: sum(x * y for x, y in zip(a, b))
cross = lambda a, b: [a[i - 2] * b[i - 1] - a[i - 1] * b[i - 2] for i in range(3)]
unit = lambda a: [x / math.hypot(*a) for x in a]
eye, target = [0.05, -0.1, 0.07], [0, 0, 0.01]
ahead = unit([b - a for a, b in zip(eye, target)])
right = unit(cross(ahead, [0, 0, 1]))
top = cross(right, ahead)
pixel = 2 * math.tan(math.radians(17.5)) / 360 # slope of one
ray = unit([a + (180 - 94) * pixel * t for a, t in zip(ahead, top)])
to = unit([a + (180 - 64) * pixel * t for a, t in zip(ahead, top)])
# The grip is where the ray enters the body, a box; the goal where the other ray meets its plane, which
# faces the first ray.
half, centre = [2e-3, 0.01, 5e-3], [0, 0, 0.03]
far = max(min((c - h - e) / d, (c + h - e) / d) for c, h, e, d in zip(centre, half, eye, ray) if d != 0)
goal = [far * (b / dot(ray, to) - a) for a, b in zip(ray, to)]
moved = [row["blade." + k] - c for k, c in zip("xyz", centre)]
# The blade follows at a rate of 8/s for a second. Changes of velocity below 1/100 of twice the size
# of the scene per second, which is less than 0.1 m, are not sent.
assert math.dist(moved, goal) < math.exp(-8) * math.hypot(*goal) + 0.01 * 2 * 0.1 / 8, (moved, goal)
assert math.hypot(*goal) > 5e-3
PY

# Two emitters: a click at the right end of their slider makes both pour thrice as much.
cat > pour.yaml <<'YAML'
materials:
  sand: {density: 2500, young: 1e6}
grains:
  bead: {shape: sphere, radius: 2e-3, material: sand}
walls:
  - {material: sand, plane: {}}
emitters:
  - {grain: bead, rate: 30, region: {box: {min: [-0.03, -0.03, 0.1], max: [-0.01, 0.03, 0.12]}}}
  - {grain: bead, rate: 90, region: {box: {min: [0.01, -0.03, 0.1], max: [0.03, 0.03, 0.12]}}}
run: {time: 2, threads: 1}
YAML
printf '0 resize 640 600\n0.1 key tab\n0.2 mouse left 223 392\n1.2 quit\n' | view pour.yaml --out b
ok "a slider for all emitters" [ "$(value commands)" = 2 ]
# 120/s for 0.2 s, then 360/s for a second; each may owe the next grain.
ok "they pour thrice as much" [ "$(value grains)" -ge 382 -a "$(value grains)" -le 386 ]

view open.yaml --out b <<'S'
0.0 resize 640 600
0.1 key tab
0.2 drag 90 263 30 263
0.4 drag 30 325 140 325
0.7 screenshot sliders.png
0.8 quit
S
ok "sliders are commands" [ "$(value commands)" -gt 4 ]
ok "and make a difference" [ "$(value state_hash)" != "$undisturbed" ]
printf '0 resize 640 600\n0.1 key tab\n0.2 key h\n0.3 drag 90 263 30 263\n0.8 quit\n' | view open.yaml --out b
ok "under the page of keys they take no clicks" [ "$(value commands)" = 0 ]
ok "they are drawn" [ "$(count b/sliders.png 'x < 240 and r > 220 and 150 < g < 200 and b < 110')" -gt 300 ]

closing_line
