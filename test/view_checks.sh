# Shared by the tests of the window: a virtual screen, a scene, running scripts and checking pixels.
. "$(dirname "$0")/checks.sh"

export LIBGL_ALWAYS_SOFTWARE=1 # the same pixels on every machine

# ---- A screen -----------------------------------------------------------------------------------------
mkfifo number
Xvfb -displayfd 9 -screen 0 1280x960x24 -nolisten tcp 9> number > xvfb.txt 2>&1 &
screen=$!
trap 'kill $screen 2> /dev/null; rm -rf "$work"' EXIT
read -r display < number
export DISPLAY=":$display" WAYLAND_DISPLAY=

cat > tray.yaml <<'YAML'
title: A tray
seed: 3
materials:
  sand: {density: 2500, young: 1e6}
grains:
  bead: {shape: sphere, radius: 2e-3, material: sand}
fill:
  - {name: bed, grain: bead, count: 150, region: {box: {min: [-0.015, -0.015, 0], max: [0.015, 0.015, 0.1]}}}
walls:
  - {name: tray, material: sand, box: {min: [-0.015, -0.015, 0], max: [0.015, 0.015, 0.02], open: z-max}}
  - {name: plate, material: sand, side: outside, box: {min: [-0.014, -0.014, 0.03], max: [0.014, 0.014, 0.032]}, motion: {user: true}}
run: {time: 0.3, threads: 1}
output: {snapshots: vtk, every: 0.02}
view:
  camera: {position: [0.05, -0.1, 0.07], target: [0, 0, 0.01]}
  ground: none
YAML
sed '/plate/d' tray.yaml > open.yaml # nothing above the sand

# Commands on stdin; the window's answer in out.txt.
view() { # what to show, more arguments
    cat > script.txt
    "$ERG" view "$1" --script script.txt --json "${@:2}" > out.txt 2> err.txt
}

value() { # of a key of the JSON object
    grep -oE "\"$1\":(\"[^\"]*\"|\[[^]]*\]|[^,}]*)" out.txt | head -n 1 | cut -d: -f2- | tr -d '"'
}

cat > pixels.py <<'PY'
# EXPRESSION FILE [OTHER]: how many pixels fulfil it; x, y, r, g, b are at hand, and whether it is
# `new`, another one than in the other file.
import struct, sys, zlib
def rows(path):
    data = open(path, "rb").read()
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            width, height = struct.unpack(">II", data[at + 8:at + 16])
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + size]
        at += 12 + size
    raw, row = zlib.decompress(packed), bytearray(3 * width)
    for y in range(height):
        line = raw[y * (3 * width + 1):(y + 1) * (3 * width + 1)]
        kind, new = line[0], bytearray(line[1:])
        for i in range(3 * width):
            left, up = new[i - 3] if i > 2 else 0, row[i]
            corner = row[i - 3] if i > 2 else 0
            if kind == 4:
                p = left + up - corner
                near = min((abs(p - left), 0, left), (abs(p - up), 1, up), (abs(p - corner), 2, corner))[2]
            else:
                near = (0, left, up, (left + up) // 2)[kind]
            new[i] = (new[i] + near) & 255
        row = new
        yield new
test = eval("lambda x, y, r, g, b, new: " + sys.argv[1])
before = rows(sys.argv[3]) if len(sys.argv) > 3 else None
n = 0
for y, line in enumerate(rows(sys.argv[2])):
    old = next(before) if before else line
    for i in range(0, len(line), 3):
        n += bool(test(i // 3, y, line[i], line[i + 1], line[i + 2], line[i:i + 3] != old[i:i + 3]))
print(n)
PY
count() { python3 pixels.py "$2" "$1"; }           # file, expression
news() { python3 pixels.py "new and ($3)" "$1" "$2"; } # file, other file, expression
red='r > 60 and r > 2 * g and r > 2 * b' # a thrown ball
sand='r > 1.15 * b and 90 < r'           # nothing else is warm here
