# labels: asan view screen
# erg view in a window on a virtual screen: start, orbit, pause, cut, resize, screenshots, results,
# closing; checked by the pixels and the printed output. Interaction by mouse is tested in
# test_view_picking.sh.
. "$(dirname "$0")/view_checks.sh"

# Under a sanitizer everything is slow: one session that does a bit of everything, and the errors.
# Mesa's driver is unloaded with the window, and two blocks of 56 bytes that only its own variables
# point to would then count as leaks. So unloading is disabled, and every other leak is still found.
if "$ERG" --version | grep -q sanitize; then
    echo 'int dlclose(void *library); int dlclose(void *library) { (void)library; return 0; }' > keep.c
    cc -shared -fPIC keep.c -o keep.so
    # The leak checker falls over a helper thread that is just ending ("Tracer caught signal 11"); on one
    # processor there are none.
    taskset -cp 0 $$ > taskset.txt
    export LD_PRELOAD="$PWD/keep.so" ASAN_OPTIONS="verify_asan_link_order=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
    view tray.yaml --out a <<'S'
0.0 resize 320 240
0.0 key tab
0.0 key [
0.1 drag 200 120 240 110 0.1
0.2 mouse right 160 150
0.3 key 2
0.3 drag right 150 140 170 140 0.1
0.4 drag 90 245 30 245 0.1
0.5 key x
0.5 key c
0.5 key f
0.6 key h
0.6 screenshot all.png
0.6 key h
0.6 key r
0.7 key esc
0.8 key y
9.0 quit
S
    ok "a session" [ $? -eq 0 -a -s a/all.png -a -s a/checkpoint.h5 ]
    printf '0 resize 320 240\n0.1 drag 100 215 60 215 0.1\n0.2 key .\n0.3 quit\n' | view a
    ok "its result" [ $? -eq 0 ]
    printf '0 key h\n1 clik 3\n' | view tray.yaml
    ok "a bad script" [ $? -eq 2 ]
    printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n' > corner.obj
    printf '0 resize 320 240\n0.1 key x\n0.2 key .\n0.3 quit\n' | view corner.obj --radius 0.2
    ok "a mesh" [ $? -eq 0 ]
    closing_line
    exit
fi

# ---- Start, pause -------------------------------------------------------------------------------------
view open.yaml --out a <<'S'
0.0 resize 480 360
0.1 key u
0.3 screenshot run.png
0.3 key space
0.4 screenshot still.png
0.8 screenshot again.png
0.9 quit
S
ok "it opens and closes" [ $? -eq 0 ]
ok "the window has its size" [ "$(value width) $(value height)" = "480 360" ]
ok "and so have pictures" [ "$(png_size a/run.png)" = "480 360" ]
ok "there is sand in it" [ "$(count a/run.png "$sand")" -gt 4000 ]
ok "paused it stands still" cmp -s a/still.png a/again.png
ok "and says so" [ "$(value paused)" = true ]
ok "nothing was saved" [ "$(value out)" = null ]
undisturbed=$(value state_hash) time=$(value sim_time)
ok "as much time has passed as was asked for" awk "BEGIN {exit !($time >= 0.3 && $time < 0.34)}"
"$ERG" run open.yaml --time "$time" --no-output --json --quiet > out.txt 2> err.txt
ok "looking changes nothing: it is the state of erg run" [ "$(value state_hash)" = "$undisturbed" ]

# ---- Orbit, pan, zoom ---------------------------------------------------------------------------------
where() { # a script's end of eye and target
    view open.yaml --out a
    echo "$(value eye) $(value target)" | tr -d '[]' | tr ',' ' '
}
start=$(printf '0 resize 480 360\n0 key space\n0.1 quit\n' | where)
turned=$(printf '0 resize 480 360\n0 key space\n0.1 drag 200 180 300 180\n0.6 quit\n' | where)
nearer=$(printf '0 resize 480 360\n0 key space\n0.1 scroll 2\n0.2 quit\n' | where)
panned=$(printf '0 resize 480 360\n0 key space\n0.1 drag shift+left 200 180 200 270\n0.6 quit\n' | where)
# Keys are held for 15 pictures, half a second.
held() { printf '0 resize 480 360\n0 key space\n0.1 key down %s\n0.6 key up %s\n0.7 quit\n' "$1" "$1" | where; }
left=$(held left) up=$(held up) minus=$(held minus) walked=$(held d) ahead=$(held w) risen=$(held e)
geometry() { # condition on a (before) and b (after), eyes and targets
    python3 -c '
import sys, math
a, b = [list(map(float, w.split())) for w in sys.argv[1:3]]
arm = lambda v: [v[i] - v[i + 3] for i in range(3)]
length = lambda v: math.hypot(*v)
yaw = lambda v: math.atan2(arm(v)[1], arm(v)[0])
pitch = lambda v: math.asin(arm(v)[2] / length(arm(v)))
way = lambda a, b: [(b[i + 3] - a[i + 3]) / length(arm(a)) for i in range(3)]
level = lambda v: [x / math.hypot(v[0], v[1]) for x in v[:2]]
near = lambda v, w: math.dist(v, w) < 1e-6
sys.exit(not eval(sys.argv[3]))' "$@"
}
# 0.006 rad a pixel in a window of 720 lines, to the left for a hand that goes to the right.
ok "a drag turns by its length" geometry "$start" "$turned" 'abs(yaw(b) - yaw(a) + 100 * 0.006 * 2) < 1e-6'
ok "around the target" geometry "$start" "$turned" 'abs(length(arm(b)) - length(arm(a))) < 1e-8 and a[3:] == b[3:]'
ok "two steps of the wheel" geometry "$start" "$nearer" 'abs(length(arm(b)) / length(arm(a)) - 0.88 ** 2) < 1e-6'
# A quarter of the window's height, at the distance of the target and an angle of view of 35 degrees.
ok "a pan moves the target" geometry "$start" "$panned" 'abs(math.dist(a[3:], b[3:]) - 0.25 * 2 * length(arm(a)) * math.tan(math.radians(17.5))) < 1e-6'

# By keys 1.6 rad/s, 10 steps of the wheel and 0.7 of the distance a second.
ok "the left key turns" geometry "$start" "$left" 'abs(yaw(b) - yaw(a) + 0.8) < 1e-6 and abs(pitch(b) - pitch(a)) < 1e-6'
ok "the upper one too" geometry "$start" "$up" 'abs(yaw(b) - yaw(a)) < 1e-6 and abs(pitch(b) - pitch(a) - 0.8) < 1e-6'
ok "minus goes away" geometry "$start" "$minus" 'abs(length(arm(b)) / length(arm(a)) - 0.88 ** -5) < 1e-6 and a[3:] == b[3:]'
ok "D walks to the right" geometry "$start" "$walked" 'near(way(a, b), [-0.35 * level(arm(a))[1], 0.35 * level(arm(a))[0], 0])'
ok "W ahead" geometry "$start" "$ahead" 'near(way(a, b), [-0.35 * x for x in level(arm(a))] + [0])'
ok "E up" geometry "$start" "$risen" 'near(way(a, b), [0, 0, 0.35]) and near(arm(a), arm(b))'
home=$(printf '0 resize 480 360\n0 key space\n0.1 scroll 3\n0.1 key down left\n0.3 key up left\n0.3 key home\n0.4 quit\n' | where)
ok "Home goes back" [ "$home" = "$start" ]

# ---- Slow and fast ------------------------------------------------------------------------------------
after() { # key at 0 s, key at 0.3 s, simulated time after 0.6 s: at the first step boundary behind it
    printf '0 resize 320 240\n0 key %s\n0.3 key %s\n0.6 quit\n' "$1" "$2" | view open.yaml --out a
    awk "BEGIN {t = $(value sim_time); exit !(t >= $3 && t - $(value sim_time) / $(value steps) < $3)}"
}
ok "half the speed, half the time" after '[' u 0.3
ok "and double, until it is real time again" after ']' backspace 0.9

# ---- Showing ------------------------------------------------------------------------------------------
view open.yaml --out c <<'S'
0.0 resize 480 360
0.0 key u
0.4 key space
0.5 screenshot whole.png
0.5 key x
0.6 screenshot cut.png
0.7 key x
0.7 key x
0.7 key x
0.7 key c
0.8 screenshot speed.png
0.8 key f
0.9 screenshot chains.png
1.0 key h
1.1 screenshot help.png
1.1 resize 320 240
1.2 screenshot small.png
1.3 key f12
1.4 quit
S
ok "pictures of all kinds" [ $? -eq 0 ]
ok "a cut leaves out about half" [ $((10 * $(count c/cut.png "$sand"))) -lt $((8 * $(count c/whole.png "$sand"))) ]
ok "what is left is cut off straight: no sand in front" [ "$(count c/cut.png "($sand) and 240 < y < 280")" -lt 20 -a "$(count c/whole.png "($sand) and 240 < y < 280")" -gt 300 ]
ok "colours by speed have blue grains" [ "$(count c/speed.png 'b > 1.3 * r and x < 400')" -gt 2000 ]
ok "and a legend on the right" [ "$(count c/speed.png 'x > 400 and r > 1.5 * b and g > 1.5 * b')" -gt 20 ]
ok "it says so" [ "$(value colour) $(value chains) $(value cut)" = "speed true false" ]
ok "chains are red" [ "$(count c/chains.png 'r > 180 and g < 100 and b < 100')" -gt 100 ]
ok "the help is a dark page" [ "$(count c/help.png 'r < 60 and g < 60 and b < 60')" -gt 60000 ]
ok "resized" [ "$(png_size c/small.png) $(value width) $(value height)" = "320 240 320 240" ]
ok "F12 finds a name" [ -s c/erg-001.png ]
printf '0 resize 320 240\n0 key u\n0.2 key space\n0.5 scroll 3\n0.5 key f12\n0.6 quit\n' | view open.yaml --out f12
printf '0 resize 320 240\n0 key u\n0.2 key space\n0.5 scroll 3\n0.5 screenshot now.png\n0.6 quit\n' | view open.yaml --out f12
ok "and shows what there is now" cmp -s f12/erg-001.png f12/now.png

# ---- Closing ------------------------------------------------------------------------------------------
printf '0 resize 320 240\n0.2 key esc\n0.3 screenshot ask.png\n0.4 key n\n1 key space\n' | view open.yaml --out d
ok "no, do not save" [ $? -eq 0 -a "$(value out)" = null -a ! -e d/checkpoint.h5 ]
ok "the question is asked" [ "$(count d/ask.png 'r < 70 and g < 70 and b < 70')" -gt 2000 ]
printf '0 resize 320 240\n0.2 key esc\n0.3 key esc\n0.5 quit\n' | view open.yaml --out d
ok "Esc goes back" awk "BEGIN {exit !($(value sim_time) > 0.35)}"
if "$ERG" --version | grep -q -- '+hdf5'; then
    printf '0 resize 320 240\n0.1 mouse right 160 130\n0.25 key esc\n0.3 key y\n9 quit\n' | view open.yaml --out e
    ok "yes, save" [ $? -eq 0 -a "$(value out)" = e -a -s e/checkpoint.h5 ]
    hash=$(value state_hash)
    ok "a result like that of a run" grep -q "\"state_hash\": *\"$hash\"" e/summary.json
    ok "with its series" [ "$(wc -l < e/series.csv)" = 2 ]
    "$ERG" run --resume e --time 0.4 --quiet --json > out.txt 2> err.txt
    ok "erg run goes on with it, ball and all" [ $? -eq 0 -a "$(value grains)" = 151 ]
    ok "for a second save there is another folder" bash -c "printf '0 resize 320 240\n0.1 key ctrl+s\n0.2 quit\n' > s.txt; '$ERG' view open.yaml --out e --script s.txt --json > out.txt 2> err.txt && [ -s e-2/checkpoint.h5 ]"

    # ---- A save that fails ----------------------------------------------------------------------------
    unsaved() { # folder, lines: exit 2 or 1, and why
        printf '0 resize 320 240\n%b' "$2" > s.txt
        "$ERG" view open.yaml --out "$1" --script s.txt --json > out.txt 2> err.txt
        local code=$?
        [ $code -ne 0 -a $code -lt 3 ] && grep -q "not saved: .*$3" err.txt
    }
    touch s-2
    ok "saved, gone on, closed with a save that fails" unsaved s '0.1 key ctrl+s\n0.3 key esc\n0.4 key y\n9 quit\n' s-2
    ok "what was saved before is there" [ -s s/checkpoint.h5 ]
    touch t
    ok "a save that fails at any time" unsaved t/x '0.1 key ctrl+s\n2 quit\n' t/x
    ok "also as the last thing" unsaved t/x '0.1 key ctrl+s\n0.1 quit\n' t/x

    # ---- Results --------------------------------------------------------------------------------------
    "$ERG" run open.yaml --out r --quiet > out.txt 2> err.txt
    view r --out f <<'S'
0.0 resize 640 480
0.0 key space
0.0 key u
0.2 screenshot begin.png
0.2 mouse left 400 450
0.4 screenshot late.png
0.5 quit
S
    ok "a result is played" [ $? -eq 0 ]
    ok "the time line goes elsewhere" awk "BEGIN {t = $(value sim_time); exit !(t >= 0.24 && t < 0.2402)}"
    ok "which is seen, above the time line" [ "$(news f/begin.png f/late.png 'y < 420')" -gt 500 ]
    printf '0 resize 640 480\n0 key space\n0.2 mouse left 400 450\n0.5 drag 300 450 34 450\n0.9 key .\n1 quit\n' | view r --out f
    ok "and back to the beginning, and one snapshot on" awk "BEGIN {t = $(value sim_time); exit !(t >= 0.02 && t < 0.0202)}"
    printf '0 resize 320 240\n0 key u\n0 key space\n0.3 screenshot said.png\n5 screenshot later.png\n5 quit\n' > s.txt
    view r --out i < s.txt
    sed 's/^0.3 /0.2 mouse right 160 120\n0.25 mouse move 170 130\n&/' s.txt | view r --out j
    ok "it cannot be touched" [ "$(news i/later.png j/later.png True)" = 0 ]
    ok "and says so" [ "$(news i/said.png j/said.png 'y < 140')" = 0 -a "$(news i/said.png j/said.png 'y >= 140')" -gt 1000 ]
    turned=$(printf '0 resize 640 600\n0 key space\n0.2 drag 90 263 130 263\n0.6 quit\n' | view r --out f; value eye)
    hidden=$(printf '0 resize 640 600\n0 key space\n0 key tab\n0.2 drag 90 263 130 263\n0.6 quit\n' | view r --out f; value eye)
    ok "its sliders are not there for the mouse either" [ "$hidden" = "$turned" ]
    "$ERG" run open.yaml --time 0.11 --set output.every=0.03 --out uneven --quiet > out.txt 2> err.txt
    printf '0 resize 640 480\n0 key space\n0.2 screenshot line.png\n0.3 quit\n' | view uneven --out f
    # From 31.5 to 473.5; snapshots at 0, 0.03, 0.06, 0.09 s, and the end at 0.11 s.
    tick() { count f/line.png "454 <= y <= 457 and $1 - 1.5 <= x <= $1 + 0.5 and r > 100"; }
    ok "ticks stand at their times" [ "$(tick 152)" -gt 3 -a "$(tick 272.5)" -gt 3 -a "$(tick 393)" -gt 3 -a "$(tick 142)" = 0 ]
    printf '0 resize 320 240\n1 quit\n' | view r/snapshots --out f
    ok "snapshots alone are played too" [ $? -eq 0 -a "$(value grains)" = 150 ]
    printf '0 resize 320 240\n1 quit\n' | view r --out f
    ok "it plays to its end and stays there" awk "BEGIN {t = $(value sim_time); exit !(t >= 0.3 && t < 0.3002)}"
fi

# ---- Meshes -------------------------------------------------------------------------------------------
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n' > corner.obj
cat > mesh.txt <<'S'
0.0 resize 480 360
0.0 key u
0.3 key space
0.4 screenshot sown.png
0.4 drag 200 335 300 335
0.9 screenshot spread.png
1.0 key .
1.0 key ,
1.0 key x
5 screenshot cut.png # what is said about it is gone
5 key f
5 mouse right 240 180
5.1 quit
S
view corner.obj --radius 0.1 --out m < mesh.txt
ok "samples on a mesh" [ $? -eq 0 -a "$(value grains)" -gt 50 -a "$(value commands)" = 0 ]
ok "spread" [ "$(news m/sown.png m/spread.png 'y < 300')" -gt 500 ]
ok "over a field that can be cut" [ "$(news m/spread.png m/cut.png 'y < 300')" -gt 2000 ]
view corner.obj --out m < mesh.txt
ok "without samples it is shown alone" [ $? -eq 0 -a "$(value grains)" = 0 ]

# ---- Films, other scenes --------------------------------------------------------------------------------
if command -v ffprobe > /dev/null; then
    printf '0 resize 320 240\n0.1 key v\n0.5 key v\n0.6 quit\n' | view open.yaml --out g
    frames=$(ffprobe -v error -count_frames -select_streams v -show_entries stream=nb_read_frames -of csv=p=0 g/erg-001.mp4)
    ok "a film of 0.4 s" [ "$frames" -ge 12 -a "$frames" -le 13 ]
    ok "no half of one is left" [ ! -e g/erg-001.mp4.part ]
    mkdir small && printf '#!/bin/bash\nulimit -f 4\nexec "%s" "$@"\n' "$(command -v ffmpeg)" > small/ffmpeg && chmod +x small/ffmpeg
    printf '0 resize 320 240\n0.1 key v\n0.5 key v\n0.6 quit\n' | PATH="$PWD/small:$PATH" view open.yaml --out full
    ok "a film that the disk has no room for is exit 1" [ $? -eq 1 ]
    ok "it says so" grep -q "erg-001.mp4" err.txt
    ok "and leaves nothing" [ -z "$(ls full/*.mp4* 2> /dev/null)" ]
fi
mkdir shelf && cp open.yaml shelf/one.yaml && sed 's/count: 150/count: 20/' open.yaml > shelf/two.yaml
export ERG_SCENES="$PWD/shelf"
printf '0 resize 320 240\n0.1 key n\n0.3 quit\n' | view one --out h
ok "the next scene" [ "$(value scene) $(value grains)" = "two 20" ]
printf '0 resize 320 240\n0.1 key pageup\n0.2 key r\n0.3 quit\n' | view one --out h
ok "the one before the first is the last, begun again" [ "$(value scene) $(value grains)" = "two 20" ]

echo 'colour: red' > shelf/bad.yaml
printf '0 resize 320 240\n0.1 key p\n0.3 quit\n' | view one --out h
ok "a scene that cannot be read: the old one stays" [ $? -eq 0 -a "$(value scene) $(value grains)" = "one 150" ]
sed 's/count: 150/count: 100000/' open.yaml > shelf/bad.yaml
printf '0 resize 320 240\n0.1 key p\n0.3 quit\n' | view one --out h
ok "one that cannot be built is exit 2" [ $? -eq 2 ]
# No thread can be started as soon as there is a screenshot.
cat > threads.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <unistd.h>
int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*work)(void *), void *user)
{
    if (access("h/full.png", F_OK) == 0) return EAGAIN;
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = dlsym(RTLD_NEXT, "pthread_create");
    return create(thread, attr, work, user);
}
C
if cc -shared -fPIC threads.c -o threads.so -ldl 2> err.txt; then
    printf '0 resize 320 240\n0.1 screenshot full.png\n0.1 key n\n0.3 key space\n0.4 quit\n' > s.txt
    rm shelf/bad.yaml
    LD_PRELOAD="$PWD/threads.so" "$ERG" view one --out h --script s.txt --json > out.txt 2> err.txt
    ok "a scene that cannot begin: the old one stays" [ $? -eq 0 -a "$(value scene) $(value paused)" = "one true" ]
fi
rm -f shelf/bad.yaml

# ---- What goes wrong ------------------------------------------------------------------------------------
refused() { # words on stderr, then arguments of erg view: exit 2
    local words=$1
    shift
    "$ERG" view "$@" > out.txt 2> err.txt
    [ $? -eq 2 ] && grep -qF -- "$words" err.txt
}
printf '0 key h\n1 clik 3\n' > bad.txt
ok "a bad script" refused "bad.txt:2: unknown command 'clik'; expected key, mouse, drag" open.yaml --script bad.txt
ok "no script" refused "cannot read the script 'none.txt'" open.yaml --script none.txt
ok "no scene" refused "nosuch" nosuch
ok "no mesh" refused "nosuch.ply" nosuch.ply
ok "samples of a scene" refused "--radius applies to meshes" open.yaml --radius 1
ok "a mesh has no keys" refused "--set applies to scenes" corner.obj --set a=b
ok "no name for a folder" refused "--out needs a folder name" open.yaml --out ""
printf '0.1 screenshot a.png\n' > shot.txt
touch file
ok "a folder that cannot be" bash -c "! '$ERG' view open.yaml --script shot.txt --out file/x 2> err.txt && grep -q 'file' err.txt"
mkdir empty
wanted="has no HDF5; for" # a build without it cannot know what the folder lacks
"$ERG" --version | grep -q -- '+hdf5' && wanted=empty
ok "a folder without a result" refused "$wanted" empty --script shot.txt
DISPLAY='' ok "no screen" refused "cannot open a window" open.yaml --script shot.txt
"$ERG" view open.yaml > out.txt 2> err.txt &
window=$!
sleep 2
kill -INT $window 2> /dev/null
wait $window
ok "Ctrl-C closes the window" [ $? -eq 130 ]

closing_line
