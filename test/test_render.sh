# labels: asan
# erg render: pictures and films of scenes and results, and a message for every possible error.
. "$(dirname "$0")/checks.sh"
export LIBGL_ALWAYS_SOFTWARE=1 # the same pixels on every machine

cat > scene.yaml <<'YAML'
title: A few beads
seed: 3
materials:
  sand: {density: 2500, young: 1e6}
grains:
  bead: {shape: sphere, radius: 2e-3, material: sand}
fill:
  - {name: bed, grain: bead, count: 60, region: {box: {min: [-0.01, -0.01, 0], max: [0.01, 0.01, 0.1]}}}
walls:
  - {name: floor, plane: {}, material: sand}
run: {time: 0.05, frame: 0.01, threads: 1}
output: {snapshots: vtk, every: 0.01, series_every: 0.005}
view: {speed: 0.3}
YAML

refused() { # exit code, words on stderr, arguments: leaves no file behind
    local code=$1 words=$2
    shift 2
    "$ERG" render "$@" > out.txt 2> err.txt
    [ $? -eq "$code" ] && grep -qF -- "$words" err.txt && [ -z "$(find . -name '*.part' -o -name bad.mp4 -o -name bad.png)" ]
}

if "$ERG" --version | grep -q -- '-draw'; then
    ok "without OpenGL it says what to install" refused 2 "install libepoxy-dev" scene.yaml --out bad.png
    ok "and in a film too" refused 2 "not in this build" scene.yaml --out bad.mp4
    ok "a run without a film goes on" bash -c "'$ERG' run scene.yaml --set output.video=true --out r 2>&1 | grep -q 'continues without a film'"
    closing_line
    exit
fi

draw() { # a command line that must succeed and say nothing on stderr but progress
    "$ERG" render "$@" --quiet > out.txt 2> err.txt
}

film() { # what ffprobe says: "w,h,rate,frames"
    ffprobe -v error -count_frames -select_streams v -show_entries stream=width,height,r_frame_rate,nb_read_frames -of csv=p=0 "$1"
}

# Radii of snapshots are rounded to 32 bits: nearly the same picture.
alike() { # two pictures; the signal over the difference is above 35 dB
    ffmpeg -hide_banner -i "$1" -i "$2" -lavfi psnr -f null - 2>&1 | grep -oE 'average:[0-9a-z.]+' |
        awk -F: '{good = $2 == "inf" || $2 > 35} END {exit !good}'
}
unlike() { [ -s "$1" ] && [ -s "$2" ] && ! alike "$@"; }
compared() { # what, alike or unlike, two pictures; left out where there is no ffmpeg to do it
    if command -v ffmpeg > /dev/null; then
        ok "$@"
    else
        echo "left out, for want of ffmpeg: $1"
    fi
}

# ---- Pictures -----------------------------------------------------------------------------------------
ok "a picture of a scene" draw scene.yaml --out end.png --size 160x90
ok "has the size" [ "$(png_size end.png)" = "160 90" ]
ok "and says where it is" bash -c "'$ERG' render scene.yaml --out end.png --size 160x90 | grep -q 'end.png: 160x90'"
ok "at a moment" draw scene.yaml --at 0 --out begin.png --size 160x90
ok "which is another one" differs begin.png end.png
ok "the same twice" bash -c "'$ERG' render scene.yaml --at 0 --out again.png --size 160x90 --quiet && cmp again.png begin.png"
ok "an eye that follows" draw scene.yaml --at 0 --out follow.png --size 160x90 --camera follow
ok "is elsewhere" differs begin.png follow.png
ok "fast is another quality" draw scene.yaml --at 0 --out fast.png --size 160x90 --quality fast
ok "and another picture" differs begin.png fast.png
ok "a caption" draw scene.yaml --at 0 --out caption.png --size 160x90 --caption
ok "is seen" differs begin.png caption.png
ok "where there is no room for it" draw scene.yaml --at 0 --out narrow.png --size 16x1024 --caption
for key in colour=speed colour=force colour=height colour=id colour=size chains=true every=3 'cut={normal: [1, 0, 0]}' ground=none \
    'camera={position: [0.1, -0.1, 0.1]}' 'light={shadows: false}' 'background=[0, 0, 0]'; do
    ok "view.$key" draw scene.yaml --out key.png --size 160x90 --set "view.$key"
    ok "view.$key is seen" differs key.png end.png
done

# Mesa then has no OpenGL 3.3, and erg falls back on ES: one source of shaders for both.
MESA_GL_VERSION_OVERRIDE=2.1 "$ERG" render scene.yaml --at 0 --out es.png --size 160x90 --quiet > out.txt 2> err.txt
ok "OpenGL ES draws too" [ $? -eq 0 ]
MESA_GL_VERSION_OVERRIDE=2.1 "$ERG" bench draw --n 100 --repeats 1 --json > es.json 2> err.txt
ok "it is ES that does" [ "$(grep -o '"device":"[^"]*, OpenGL OpenGL ES 3' es.json | wc -l)" = 4 ]
compared "the same picture" alike es.png begin.png

"$ERG" bench draw --n 3000 --repeats 1 --json > out.txt 2> err.txt
ok "bench draw" [ $? -eq 0 ]
ok "has a row for each quality, with and without culling" [ "$(grep -oE '"quality":"[a-z]*","culling":[a-z]*' out.txt | sort -u | wc -l)" = 4 ]
ok "with as many threads as asked for" [ "$("$ERG" bench draw --n 1000 --repeats 1 --threads 3 --json 2> err.txt | grep -o '"threads":3' | wc -l)" = 4 ]
ok "and tells culling apart" grep -qE '"draw_s":[0-9.e-]+,.*"cull_s":[0-9.e-]+,' out.txt

# ---- Films --------------------------------------------------------------------------------------------
if command -v ffmpeg > /dev/null; then
    ok "a film" draw scene.yaml --out a.mp4 --size 160x90 --quality fast
    ok "of six pictures" [ "$(film a.mp4)" = "160,90,30/1,6" ]
    ok "slower, with more of them" draw scene.yaml --out b.mp4 --size 160x90 --quality fast --fps 10 --speed 0.025 --camera orbit
    ok "has 21" [ "$(film b.mp4)" = "160,90,10/1,21" ]
    sed '/^view/d' scene.yaml > plain.yaml
    ok "films play in real time" draw plain.yaml --out real.mp4 --size 160x90 --quality fast --fps 60
    ok "whatever run.frame is" [ "$(film real.mp4)" = "160,90,60/1,4" ]
fi

# ---- Sequences ----------------------------------------------------------------------------------------
ok "a sequence" draw scene.yaml --out 'new/frames/%04d.png' --size 161x91 --quality fast
ok "in a folder that is made, a file for each picture" [ "$(echo new/frames/*)" = "$(echo new/frames/000{0..5}.png)" ]
ok "of the size" [ "$(png_size new/frames/0005.png)" = "161 91" ]
ok "the first is the beginning" draw scene.yaml --at 0 --out first.png --size 161x91 --quality fast
ok "the same to the bit" cmp first.png new/frames/0000.png
ok "with a percent sign and no zeros" draw scene.yaml --out '50%%-%d.png' --size 160x90 --quality fast --fps 60 --speed 3
ok "has two" [ "$(ls 50%-*)" = "$(printf '50%%-0.png\n50%%-1.png')" ]
ok "a folder's percent signs are its own" bash -c "mkdir 5%x && '$ERG' render scene.yaml --at 0 --out 5%x/a.png --size 160x90 --quiet"
ok "also those that read as a number" bash -c "mkdir 50%done && '$ERG' render scene.yaml --at 0 --out 50%done/a.png --size 160x90 --quiet"
ok "of a sequence too" draw scene.yaml --out '50%done/b%d.png' --size 160x90 --quality fast
ok "in the folder as it is named" [ -s 50%done/a.png -a -s 50%done/b5.png ]
ok "two numbers" refused 2 "has 2 frame numbers" scene.yaml --out 'x%d-%04d.png'
ok "no whole number" refused 2 "'%5.2' is not a frame number" scene.yaml --out 'x%5.2f.png'
ok "a string" refused 2 "'%s.p' is not a frame number" scene.yaml --out 'x%s.png'
ok "too wide" refused 2 "'%010' is not a frame number" scene.yaml --out 'x%010d.png'
ok "the end of the name" refused 2 "is not a frame number" scene.yaml --out 'x%.png'
ok "a number in a folder" refused 2 "in the name of a folder" scene.yaml --out 'x%02d/%04d.png'
ok "and none in the file" refused 2 "in the name of a folder that does not exist" scene.yaml --out 'x%02d/bad.png'
ok "a moment of a sequence" refused 2 "--at applies to pictures, but --out names a sequence" scene.yaml --out 'x%d.png' --at 0.1
echo "no folder" > file
ok "a folder that is a file" refused 2 "file" scene.yaml --out 'file/%d.png'
ok "another one within it" refused 2 "cannot create the folder 'file/in'" scene.yaml --out 'file/in/%d.png'
ok "nothing is made for a bad scene" bash -c "! '$ERG' render nothing.yaml --out 'made/%d.png' 2> err.txt && [ ! -e made ]"
ok "a transparent one" draw scene.yaml --at 0 --out clear.png --size 160x90 --transparent
ok "is a PNG with alpha" [ "$(od -An -tu1 -j25 -N1 clear.png | tr -d ' ')" = 6 ]
ok "others have none" [ "$(od -An -tu1 -j25 -N1 begin.png | tr -d ' ')" = 2 ]
ok "a film cannot be" refused 2 "a sequence can: --out 'frames/%04d.png'" scene.yaml --out bad.mp4 --transparent

# ---- Results ------------------------------------------------------------------------------------------
"$ERG" run scene.yaml --out result --quiet > out.txt 2> err.txt
if "$ERG" --version | grep -q +hdf5; then
    ok "the last moment of a result" draw result --out last.png --size 160x90
    ok "is the end of the scene" cmp last.png end.png
    ok "an earlier one" draw result --at 0 --out first.png --size 160x90
    compared "is the beginning of the scene" alike first.png begin.png
    compared "and not its end" unlike first.png end.png
    ok "colours by force of the last moment" draw result --out force.png --size 160x90 --set view.colour=force
    ok "not of another simulation" refused 2 "'result' is a folder with results" result --out bad.png --set "gravity=[0, 0, -1]"
    ok "not of a snapshot" refused 2 "not read from snapshots" result --at 0 --out bad.png --set view.colour=force
    ok "nor chains" refused 2 "force chains need contacts" result --at 0 --out bad.png --set view.chains=true
    if command -v ffmpeg > /dev/null; then
        ok "a film of a result" draw result --out r.mp4 --size 160x90 --quality fast --camera follow
        ok "has a picture a frame" [ "$(film r.mp4)" = "160,90,30/1,6" ]
    fi
    "$ERG" run scene.yaml --set output.snapshots=ply --out plain --quiet > out.txt 2> err.txt
    ok "snapshots in PLY" draw plain --at 0 --out ply.png --size 160x90
    compared "show the same" alike ply.png begin.png
    "$ERG" run scene.yaml --set output.snapshots=hdf --out boxed --quiet > out.txt 2> err.txt
    ok "snapshots in VTKHDF" draw boxed --at 0 --out hdf.png --size 160x90
    compared "show the same too" alike hdf.png begin.png
    ok "a snapshot alone" draw boxed/snapshots/grains-000000.hdf --out alone.png --size 160x90
    ok "of the other kind" draw result/snapshots/grains-000000.vtp --out vtp.png --size 160x90
    compared "is the same" alike alone.png vtp.png
    ok "a folder of snapshots" draw boxed/snapshots --at 0 --out folder.png --size 160x90
    compared "is the same again" alike folder.png alone.png
    if command -v ffmpeg > /dev/null; then
        ok "a film of them" draw boxed/snapshots --out s.mp4 --size 160x90 --quality fast --speed 0.3
        ok "has a picture for each" [ "$(film s.mp4)" = "160,90,30/1,6" ]
    fi
    head -c 3000 boxed/snapshots/grains-000002.hdf > cut && mv cut boxed/snapshots/grains-000002.hdf
    ok "one that was cut is named" refused 2 "grains-000002.hdf' is not a snapshot" boxed --at 0.02 --out bad.png
    head -c 3000 result/snapshots/grains-000002.vtp > cut && mv cut result/snapshots/grains-000002.vtp
    ok "a snapshot that was cut is named" refused 2 "grains-000002.vtp' is not a snapshot" result --at 0.02 --out bad.png
    # In a picture of a result, bodies are where they were at that time, not where they are at the
    # end.
    cat > bodies.yaml <<'YAML'
materials:
  wood: {density: 600, young: 1e6}
walls:
  - {name: floor, material: wood, plane: {}}
bodies:
  - {name: cube, material: wood, box: {size: [0.1, 0.1, 0.1]}, position: [0, 0, 0.3], spin: [3, 5, 0]}
  - {name: blade, material: wood, plate: {size: [0.1, 0.2], thickness: 0.02}, position: [-0.2, 0, 0.1], motion: {velocity: [1, 0, 0]}}
run: {time: 0.15}
output: {snapshots: vtk, every: 0.05}
view: {camera: {position: [0.4, -1, 0.5], target: [0, 0, 0.15]}}
YAML
    "$ERG" run bodies.yaml --out moved --quiet > out.txt 2> err.txt
    ok "a scene with bodies" draw bodies.yaml --at 0.05 --out bodies.png --size 160x90
    ok "its end" draw bodies.yaml --out bodies-end.png --size 160x90
    compared "looks otherwise" unlike bodies.png bodies-end.png
    ok "its result" draw moved --at 0.05 --out moved.png --size 160x90
    compared "is where it was" alike bodies.png moved.png
    ok "at the end too" bash -c "'$ERG' render moved --out moved-end.png --size 160x90 --quiet"
    compared "it is where it is" alike bodies-end.png moved-end.png
    head -c 900 moved/snapshots/bodies-000001.vtp > cut && mv cut moved/snapshots/bodies-000001.vtp
    ok "bodies that were cut are named" refused 2 "bodies-000001.vtp' is not a file of bodies written by erg" moved --at 0.05 --out bad.png
    "$ERG" run scene.yaml --set output.snapshots=none --out bare --quiet > out.txt 2> err.txt
    ok "no snapshots, no film" refused 2 "has no snapshots" bare --out bad.mp4
    ok "the checkpoint by its time" draw bare --at 0.05 --out bare.png --size 160x90
    ok "is the end of the scene" cmp bare.png end.png
    ok "another time is not there" refused 2 "'bare' has nothing near --at 0.04: its only stored time is 0.05" bare --at 0.04 --out bad.png
    # The checkpoint is the last moment, after snapshots at 0, 0.02 and 0.04 s.
    "$ERG" run scene.yaml --set output.every=0.02 --out sparse --quiet > out.txt 2> err.txt
    ok "the end of a result by its time" draw sparse --at 0.05 --out sparse.png --size 160x90
    ok "is not the last snapshot" cmp sparse.png end.png
    ok "it has contacts" draw sparse --at 0.05 --out force2.png --size 160x90 --set view.colour=force
    ok "between two snapshots it says which is shown" bash -c "'$ERG' render sparse --at 0.027 --out between.png --size 160x90 | grep -q 'between.png: 160x90, t = 0.02[0-9]* s;'"
    ok "after the end there is nothing" refused 2 "'sparse' has nothing near --at 0.07: it has 4 stored times from 0 to 0.05" sparse --at 0.07 --out bad.png
    "$ERG" render sparse/snapshots/grains-000001.vtp --at 0 --out bad.png > out.txt 2> err.txt
    ok "nor in a snapshot alone" [ $? -eq 2 ]
    if command -v ffmpeg > /dev/null; then
        ok "a film goes on to the checkpoint" draw sparse --out sparse.mp4 --size 160x90 --quality fast
        ok "which is its last picture" [ "$(film sparse.mp4)" = "160,90,30/1,6" ]
    fi
fi
mkdir empty
wanted="has no HDF5; for" # a build without it cannot know what the folder lacks
"$ERG" --version | grep -q +hdf5 && wanted="empty/checkpoint.h5"
ok "a folder that is no result" refused 2 "$wanted" empty --out bad.png

# ---- Meshes -------------------------------------------------------------------------------------------
cat > cube.obj <<'OBJ'
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
OBJ
sed '$d' cube.obj > open.obj
ok "a mesh" draw cube.obj --out mesh.png --size 160x90
ok "its distance field" draw cube.obj --out field.png --size 160x90 --radius 0.03 --field
compared "is nearly the same" alike mesh.png field.png
ok "with its samples" draw cube.obj --out dots.png --size 160x90 --radius 0.06 --field --samples
ok "which are seen" differs dots.png field.png
ok "the spheres alone" draw cube.obj --out spheres.png --size 160x90 --radius 0.1 --samples
ok "are another picture" differs spheres.png dots.png
ok "an open mesh has samples" draw open.obj --out open.png --size 160x90 --radius 0.1 --samples
ok "but no field" refused 2 "a distance field needs a closed, consistently oriented mesh" open.obj --out bad.png --radius 0.1 --field
ok "a field needs a radius" refused 2 "--field needs --radius R" cube.obj --out bad.png --field
ok "a radius of nothing" refused 2 "--radius must be above 0 m, got 0" cube.obj --out bad.png --radius 0
ok "a moment of a mesh" refused 2 "--at applies to scenes, but 'cube.obj' is a mesh" cube.obj --out bad.png --at 1
ok "a field of a scene" refused 2 "--field applies to meshes (.obj, .stl, .ply), but 'scene.yaml' is not one" scene.yaml --out bad.png --field
ok "a mesh that is not there" refused 2 "nothing.stl" nothing.stl --out bad.png
ok "a film of nothing that moves" refused 2 "add --samples --radius R" cube.obj --out bad.mp4
if command -v ffmpeg > /dev/null; then
    ok "a film of samples that spread" draw cube.obj --out spread.mp4 --size 160x90 --radius 0.2 --samples --quality fast
    ok "has a picture for each of many moves" [ "$(film spread.mp4 | cut -d, -f4)" -gt 20 ]
fi

if command -v ffmpeg > /dev/null; then
    ok "a name with a colon is a name" draw scene.yaml --out 12:30.mp4 --size 160x90 --quality fast
    ok "and no protocol" [ -n "$(film ./12:30.mp4)" ]
fi

# ---- While running ------------------------------------------------------------------------------------
if command -v ffmpeg > /dev/null; then
    "$ERG" run scene.yaml --set output.video=true --out filmed --json > filmed.json 2> err.txt
    ok "a run with a film" [ "$(film filmed/video.mp4)" = "1280,720,30/1,6" ]
    "$ERG" run scene.yaml --set output.video=true --set view.speed=1 --set run.time=0.03 --out fast --quiet > out.txt 2> err.txt
    ok "run.frame in real time" [ "$(film fast/video.mp4)" = "1280,720,100/1,4" ]
    "$ERG" run scene.yaml --out unfilmed --json > unfilmed.json 2> err.txt
    ok "ends in the same state" [ "$(grep -o 'state_hash":"[0-9a-f]*' filmed.json)" = "$(grep -o 'state_hash":"[0-9a-f]*' unfilmed.json)" ]
    if "$ERG" --version | grep -q +hdf5; then
        "$ERG" run --resume filmed --time 0.07 --quiet > out.txt 2> err.txt
        ok "a resumed run has a film of its own" [ "$(film filmed/video-2.mp4)" = "1280,720,30/1,3" ]
        ok "and leaves the first alone" [ "$(film filmed/video.mp4)" = "1280,720,30/1,6" ]
    fi
    # Its ffmpeg takes as long as `hold` is there: the folder belongs to the run until the film is whole.
    mkdir slow && touch hold
    printf '#!/bin/bash\n"%s" "$@"\ncode=$?\nwhile [ -e "%s/hold" ]; do sleep 0.05; done\nexit $code\n' "$(command -v ffmpeg)" "$PWD" > slow/ffmpeg
    chmod +x slow/ffmpeg
    PATH="$work/slow:$PATH" "$ERG" run scene.yaml --set output.video=true --set run.time=0.01 --out held --quiet > out.txt 2> err.txt &
    child=$!
    for i in $(seq 600); do
        [ -s held/summary.json ] && break
        sleep 0.05
    done
    sleep 0.3
    "$ERG" run scene.yaml --out held --force --quiet > out.txt 2> err.txt
    ok "a run that waits for its film keeps the folder" [ $? -eq 2 ]
    ok "and is named" grep -q "is in use by a run in process $child:" err.txt
    rm hold
    wait $child
    ok "it ends well" [ $? -eq 0 ]
    ok "with its film" [ "$(film held/video.mp4)" = "1280,720,30/1,2" ]
    # Left by a run that was killed; its ffmpeg may still be writing.
    if "$ERG" --version | grep -q +hdf5; then
        mv held/video.mp4 held/video.mp4.part
        "$ERG" run --resume held --time 0.02 --quiet > out.txt 2> err.txt
        ok "a film that is not finished is left alone" [ -e held/video.mp4.part -a ! -e held/video.mp4 -a -s held/video-2.mp4 ]
        rm held/video.mp4.part
    fi
    ok "--force clears the film" bash -c "'$ERG' run scene.yaml --out filmed --force --quiet > /dev/null 2>&1 && [ -z \"\$(ls filmed/video* 2> /dev/null)\" ]"
fi

# ---- What can go wrong --------------------------------------------------------------------------------
ok "no --out" refused 2 "needs --out" scene.yaml
ok "another ending" refused 2 "must end in .png (a picture) or .mp4" scene.yaml --out bad.gif
ok "no such folder" refused 2 "there is no folder 'nowhere'" scene.yaml --out nowhere/bad.png
ok "no such scene" refused 2 "nothing" nothing --out bad.png
ok "a bad size" refused 2 "--size must be WIDTHxHEIGHT" scene.yaml --out bad.png --size 10
ok "an odd film" refused 2 "must have an even width" scene.yaml --out bad.mp4 --size 161x90
ok "a size of ten digits" refused 2 "--size must be WIDTHxHEIGHT" scene.yaml --out bad.png --size 4294967396x100
ok "too many frames" refused 2 "--fps must be from 0.1 to 1000, got 1e300" scene.yaml --out bad.mp4 --fps 1e300
ok "too fast" refused 2 "--speed must be from 1e-09 to 1e+09, got 1e300" scene.yaml --out bad.mp4 --speed 1e300
ok "--fps of a picture" refused 2 "--fps applies to films" scene.yaml --out bad.png --fps 10
ok "--at of a film" refused 2 "--at applies to pictures" scene.yaml --out bad.mp4 --at 1
ok "a bad camera" refused 2 "--camera" scene.yaml --out bad.png --camera flying
ok "a bad key" refused 2 "unknown key 'color' in view" scene.yaml --out bad.png --set view.color=speed
ok "camera at its target" refused 2 "position and target are the same" scene.yaml --out bad.png --set 'view.camera={position: [0, 0, 0]}'
mkdir lib && echo "no library" > lib/libEGL.so.1
LD_LIBRARY_PATH="$work/lib" "$ERG" render scene.yaml --out bad.png > out.txt 2> err.txt
ok "no EGL is exit 2" [ $? -eq 2 ]
ok "it says what to install" grep -q "libEGL.so.1 was not found; on Debian install libegl1" err.txt
LD_LIBRARY_PATH="$work/lib" "$ERG" render open.obj --out bad.png --radius 0.1 --field > out.txt 2> err.txt
ok "of a mesh too, before any work is done" grep -q "libEGL.so.1 was not found" err.txt
__EGL_VENDOR_LIBRARY_FILENAMES=/dev/null "$ERG" render scene.yaml --out bad.png > out.txt 2> err.txt
ok "EGL without a driver is exit 2" [ $? -eq 2 ]
ok "it says what to install too" grep -q "on Debian install libegl1 and libgl1-mesa-dri" err.txt
ln -s /dev/full full.png
"$ERG" render scene.yaml --out full.png --size 160x90 > out.txt 2> err.txt
ok "a picture that does not fit is exit 1" [ $? -eq 1 ]
ok "it says why" grep -qi "full.png.*space" err.txt
mkdir bin && ln -s "$(command -v bash)" bin/bash
ok "no ffmpeg" env PATH="$work/bin" bash -c "'$ERG' render scene.yaml --out bad.mp4 2> err.txt; [ \$? -eq 2 ] && [ ! -e bad.mp4.part ]"
ok "it says what to install" grep -q "on Debian install ffmpeg" err.txt
if [ -w /dev/full ] && command -v ffmpeg > /dev/null; then
    printf '#!/bin/bash\nfor last; do :; done\nhead -c 1000 > "${last#file:}"\necho "$last: No space left on device" >&2\necho "Conversion failed!" >&2\nexit 1\n' > bin/ffmpeg && chmod +x bin/ffmpeg
    PATH="$work/bin:$PATH" "$ERG" render scene.yaml --out bad.mp4 --size 160x90 --quality fast > out.txt 2> err.txt
    ok "a full disk is exit 1" [ $? -eq 1 ]
    ok "it says so" grep -q "no space left on disk for 'bad.mp4'" err.txt
    ok "and leaves nothing" [ -z "$(ls bad.mp4* 2> /dev/null)" ]
fi
# ffmpeg itself exits 0 when it could not write all. A limit on the size of files stands for a disk that
# is full; a picture of the film's 51 takes about 1 KB.
limited() { # KB, arguments of erg
    (ulimit -f "$1" && shift && exec "$ERG" "$@") > out.txt 2> err.txt
}
if command -v ffmpeg > /dev/null; then
    for kb in 1 4 7; do
        limited $kb render scene.yaml --out bad.mp4 --size 160x90 --quality fast --speed 0.03
        ok "a film over $kb KB is exit 1" [ $? -eq 1 ]
        ok "and says so" grep -q "no space left on disk for 'bad.mp4'\|ffmpeg wrote only part of 'bad.mp4'" err.txt
        ok "and leaves nothing" [ -z "$(ls bad.mp4* 2> /dev/null)" ]
    done
    cp a.mp4 bad.mp4
    limited 4 render scene.yaml --out bad.mp4 --size 160x90 --quality fast --speed 0.03
    ok "the film of before stays" cmp a.mp4 bad.mp4
    rm -f bad.mp4
    printf '#!/bin/bash\nulimit -f 4\nexec "%s" "$@"\n' "$(command -v ffmpeg)" > bin/ffmpeg # the run's other files fit
    chmod +x bin/ffmpeg
    PATH="$work/bin:$PATH" "$ERG" run scene.yaml --set output.video=true --set run.frame=0.02 --out limited --json > out.txt 2> err.txt
    ok "a run whose film is cut is exit 1" [ $? -eq 1 ]
    ok "and says so" grep -q "the run is complete, but the film failed: " err.txt
    ok "in the object too" grep -q '"error":"the run is complete, but the film failed: ' out.txt
    ok "and leaves none" [ -z "$(ls limited/video* 2> /dev/null)" ]
    ok "the run itself is whole" grep -q '"sim_time": *0.05' limited/summary.json
    # One that says nothing at all of its failure.
    printf '#!/bin/bash\nfor last; do :; done\nhead -c 1000 "%s" > "${last#file:}"\ncat > /dev/null\n' "$PWD/a.mp4" > bin/ffmpeg
    PATH="$work/bin:$PATH" "$ERG" render scene.yaml --out bad.mp4 --size 160x90 --quality fast > out.txt 2> err.txt
    ok "half a film and no word of it is exit 1" [ $? -eq 1 ]
    ok "it says what is wrong" grep -q "ffmpeg wrote only part of 'bad.mp4': the file is truncated" err.txt
    ok "and leaves nothing" [ -z "$(ls bad.mp4* 2> /dev/null)" ]
fi
limited 1 render scene.yaml --out bad.png --size 640x360
ok "a picture over the limit is exit 1" [ $? -eq 1 ]
ok "and leaves nothing" [ -z "$(ls bad.png* 2> /dev/null)" ]
if command -v ffmpeg > /dev/null; then
    ("$ERG" render scene.yaml --set run.time=100 --out bad.mp4 --size 160x90 > out.txt 2> err.txt; echo $? > code.txt) &
    for i in $(seq 100); do
        [ -s bad.mp4.part ] && break
        sleep 0.1
    done
    kill -INT "$(pgrep -P $! | head -n 1)"
    wait
    ok "Ctrl-C is exit 130" [ "$(cat code.txt)" = 130 ]
fi
("$ERG" render cube.obj --radius 0.004 --samples --out bad.png --size 160x90 > out.txt 2> err.txt; echo $? > code.txt) &
for i in $(seq 100); do
    pgrep -P $! > /dev/null && break
    sleep 0.1
done
sleep 0.5
kill -INT "$(pgrep -P $! | head -n 1)"
wait
ok "while samples spread too" [ "$(cat code.txt)" = 130 ]
ok "and leaves no picture" [ ! -e bad.png ]
ok "and leaves no film" [ -z "$(ls bad.mp4* 2> /dev/null)" ]

closing_line
