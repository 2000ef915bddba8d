# labels: view screen
# Joints of a scene, driven in the window by its own keys.
. "$(dirname "$0")/view_checks.sh"

sed 's/^run:/bodies:\n  - {name: boom, material: sand, box: {size: [0.02, 4e-3, 4e-3]}, position: [0.01, 0, 0.06], pivot: [0, 0, 0.06],\n     motion: {user: {axis: [0, 1, 0], rate: 1, range: [-0.5, 0.25], keys: [r, f]}}}\n  - {name: stick, material: sand, box: {size: [2e-3, 4e-3, 0.01]}, position: [0.02, 0, 0.055], attach: boom,\n     motion: {user: {direction: [1, 0, 0], speed: 0.02, keys: ["4", t]}}}\nrun:/' open.yaml > arm.yaml

# R turns the boom for 0.2 s while 4 moves the stick outwards; F turns it back for 0.1 s.
cat > drive.txt <<'S'
0 resize 480 360
0.2 key down r
0.3 key down 4
0.4 key up r
0.5 key up 4
0.6 key down f
0.7 key up f
0.8 key ctrl+s
0.9 quit
S
view arm.yaml --out j < drive.txt
ok "a scene's keys drive its joints" [ $? -eq 0 ]
ok "one command for each press and each release" [ "$(value commands)" = 6 ]
hash=$(value state_hash)
ok "the boom turns and carries the stick, which slides along it" /usr/bin/python3 - j/series.csv <<'PY'
import csv, math, sys
row = {k: float(v) for k, v in list(csv.DictReader(open(sys.argv[1])))[-1].items()}
boom = math.atan2(0.06 - row["boom.z"], row["boom.x"]) # right-handed about y: down
assert abs(boom - 0.1) < 0.02, boom
c, s = math.cos(boom), math.sin(boom)
x, z = row["stick.x"], row["stick.z"] - 0.06
along, across = c * x - s * z, s * x + c * z
assert abs(along - 0.02 - 0.2 * 0.02) < 1e-3 and abs(across + 0.005) < 1e-9, (along, across)
assert abs(row["stick.vx"]) < 1e-12 and abs(row["stick.vz"]) < 1e-12, "let go, it stands"
PY
view arm.yaml --out k --threads 2 < drive.txt
ok "the same keys, the same state, on two threads too" [ "$(value state_hash)" = "$hash" ]

# At the end of its range it stops; Shift gives the key its meaning in the window.
view arm.yaml --out e <<'S'
0 resize 480 360
0.1 key down r
0.9 key ctrl+s
1.0 key up r
1.1 quit
S
ok "a held key ends at the range" /usr/bin/python3 - e/series.csv <<'PY'
import csv, math, sys
row = {k: float(v) for k, v in list(csv.DictReader(open(sys.argv[1])))[-1].items()}
assert abs(math.atan2(0.06 - row["boom.z"], row["boom.x"]) - 0.25) < 1e-9, row
assert abs(row["boom.vz"]) < 1e-12
PY
printf '0 resize 320 240\n0.1 key down r\n0.2 key up r\n0.3 key shift+r\n0.5 quit\n' | view arm.yaml --out e
ok "Shift + R restarts" [ "$(value commands)" = 0 ]

# The excavator that ships.
cat > dig.txt <<'S'
0 resize 480 360
0.1 key down r
0.1 key down u
0.5 key up r
0.5 key up u
0.6 key ctrl+s
0.7 quit
S
sed '/ key [du]/d' dig.txt > idle.txt
view sandcastle --set upsample.count=3000 --out dig < dig.txt
ok "the excavator of sandcastle takes commands from its keys" [ "$(value commands)" = 4 ]
ok "no grain is lost" grep -q '"lost": 0,' dig/summary.json
hash=$(value state_hash)
view sandcastle --set upsample.count=3000 --out idle < idle.txt
ok "and moves" [ "$(value state_hash)" != "$hash" ]

# The help page names them.
printf '0 resize 960 720\n0.2 key h\n0.4 screenshot help.png\n0.5 quit\n' > help.txt
view arm.yaml --out p < help.txt
view open.yaml --out q < help.txt
ok "the help page has rows for them" differs p/help.png q/help.png

closing_line
