# Play-back of a result with a terrain: the columns are those of each moment, also after a resume;
# damaged files are refused.
# labels: hdf5 draw
. "$(dirname "$0")/checks.sh"
export LIBGL_ALWAYS_SOFTWARE=1 # the same pixels on every machine

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
  bounds: [[-0.4, -0.4], [0.4, 0.4]]
  spacing: 0.01
  height: 0.05
bodies:
  - {name: ball, material: sand, density: 3000, sphere: {radius: 0.03, segments: 16}, position: [0, 0, 0.1], velocity: [0.3, 0, -1]}
run: {time: 0.3, threads: 1}
output: {snapshots: vtk, every: 0.05, series_every: 0.1}
view: {camera: {position: [0.15, -0.3, 0.3], target: [0, 0, 0.04], angle: 35}}
YAML
sed '/^  grain: grit/d' scene.yaml > print.yaml # columns stay columns

draw() { "$ERG" render "$@" --size 320x180 --quiet > out.txt 2> err.txt; }
# Radii of snapshots are rounded to 32 bits, heights to 1/65535 of a block's range.
alike() { # two pictures; the signal over the difference is above 40 dB
    ffmpeg -hide_banner -i "$1" -i "$2" -lavfi psnr -f null - 2>&1 | grep -oE 'average:[0-9a-z.]+' |
        awk -F: '{good = $2 == "inf" || $2 > 40} END {exit !good}'
}
unlike() { [ -s "$1" ] && [ -s "$2" ] && ! alike "$@"; }

for scene in scene print; do
    ok "$scene: run" "$ERG" run $scene.yaml --out $scene --quiet
    ok "$scene: picture at the end" draw $scene --out $scene-end.png
    for t in 0 0.1 0.2; do
        ok "$scene: picture of the result at $t s" draw $scene --at $t --out $scene-$t.png
        ok "$scene: picture of the scene at $t s" draw $scene.yaml --at $t --out own.png
        ok "$scene: they are nearly equal" alike $scene-$t.png own.png
    done
    ok "$scene: the beginning differs from the end" unlike $scene-0.png $scene-end.png
    ok "$scene: the first file holds no blocks" [ "$(stat -c %s $scene/snapshots/columns-000000.bin)" = 40 ]
done

# ---- Resume ----------------------------------------------------------------------------------------
ok "first half" "$ERG" run scene.yaml --out half --time 0.12 --quiet
ok "second half, elsewhere" "$ERG" run --resume half --out on --time 0.3 --quiet
ok "second half, in place" "$ERG" run --resume half --time 0.3 --quiet
for folder in on half; do
    for file in scene/snapshots/columns-*.bin; do
        ok "$folder/$(basename "$file")" cmp "$file" "$folder/snapshots/$(basename "$file")"
    done
done

# ---- Without columns, and damage -------------------------------------------------------------------
cp -r print bad
printf x | dd of=bad/snapshots/columns-000001.bin bs=1 seek=60 conv=notrunc 2> dd.txt
ok "before the damage" draw bad --at 0 --out fine.png
erg 2 "columns-000001.bin' is damaged" render bad --at 0.1 --out bad.png
head -c 1000 print/snapshots/columns-000001.bin > bad/snapshots/columns-000001.bin
erg 2 "columns-000001.bin' is damaged" render bad --at 0.05 --out bad.png
rm bad/snapshots/columns-000001.bin
erg 2 "columns-000001.bin' is missing" render bad --at 0.2 --out bad.png
rm bad/snapshots/columns-*.bin
ok "without any, the columns are those of the checkpoint" draw bad --at 0.1 --out old.png
closing_line
