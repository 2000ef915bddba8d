# The shipped scenes: each one loads by its bare name from any folder, runs, ends in the same state
# on any number of threads, and reports its content; an invalid one leaves no files.
set -u
erg=${ERG:?} source=${ERG_SOURCE:?}
passed=0 failed=0

check() { # what, then a command that must succeed
    local what=$1
    shift
    if "$@" >out.txt 2>err.txt; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $what"
        tail -n 5 out.txt err.txt
    fi
}

json() { # key of the JSON on the last line of out.txt
    tail -n 1 out.txt | python3 -c "import json, sys; print(json.load(sys.stdin)['$1'])"
}

folder=$(mktemp -d "${TMPDIR:-/tmp}/scenes-XXXXXX")
cd "$folder" || exit 1

scenes="avalanche ball-into-sand beach bowling brazil-nut bucket bulldozer bulldozer-terrain column crater drum dunes excavator footprints hourglass hourglass-fine hourglass-spheres incline mesh-hopper pile piston pour-box pour-over-ball rings rover-wheel sandbox sandcastle silo splash squirrel tracks wheel"
check "erg scenes lists them all" bash -c \
    "test \"\$('$erg' scenes | awk '{print \$1}' | LC_ALL=C sort | tr '\n' ' ')\" = '$scenes '"

for scene in $scenes; do
    check "check $scene" "$erg" check "$scene" --json
    test "$(json ok)" = True || { failed=$((failed + 1)); echo "FAIL check $scene: ok"; }
    check "$scene has a title, a source and a view" bash -c \
        "grep -q '^title: ' '$source/scenes/$scene.yaml' && grep -q '^view:' '$source/scenes/$scene.yaml' &&
         head -n 1 '$source/scenes/$scene.yaml' | grep -q '^# '"
    fewer=()
    grep -q '^upsample:' "$source/scenes/$scene.yaml" && fewer=(--set upsample.count=3000) # fine particles
    [ "$scene" = beach ] && fewer=(--set 'terrain.bounds=[[-5, -5], [5, 5]]') # columns
    check "run $scene" "$erg" run "$scene" --time 0.004 --threads 1 --json "${fewer[@]}"
    one=$(json state_hash)
    check "$scene wrote its results" test -s "results/$scene/series.csv"
    check "run $scene on two threads" "$erg" run "$scene" --time 0.004 --threads 2 --no-output --json "${fewer[@]}"
    check "$scene does not depend on threads" test "$one" = "$(json state_hash)"
done

for scene in $scenes; do
    picture=$source/docs/pictures/$scene.png
    check "$scene is in the gallery" grep -q "(pictures/$scene.png).*\*\*$scene\*\*" "$source/docs/gallery.md"
    check "with a picture of 100 kB at most" bash -c "[ -s '$picture' ] && [ \$(stat -c %s '$picture') -le 100000 ]"
    check "which tools/gallery draws" grep -q "\[$scene\]=" "$source/tools/gallery"
done

check "the hourglass of the paper" "$erg" check hourglass --set fill.top.count=27427 --json
check "has its number of grains" test "$(json grains)" = 27427
check "Yasuda's hourglass" "$erg" check hourglass-spheres --set fill.top.count=50000 --json
check "has its number of grains" test "$(json grains)" = 50000

check "the rings of the paper" "$erg" check rings --set bodies.rings.grid.count.2=40 --json
check "are a thousand on 25 poles" test "$(json bodies)" = 1025
check "the splash of the paper" "$erg" check splash --set grains.grit.radius=8.1e-4 --set fill.pile.count=45494 --json
check "has its number of grains" test "$(json grains)" = 45494
check "the paper's sizes are told as they are checked here" bash -c \
    "grep -q 'bodies.rings.grid.count.2=40' '$source/scenes/rings.yaml' && grep -q 'radius=8.1e-4 --set fill.pile.count=45494' '$source/scenes/splash.yaml'"

"$erg" run hourglass --set fill.top.cout=1 --out bad --json >bad.txt 2>&1
check "a bad scene is exit 2" test $? = 2
check "and says why" grep -q "^--set fill.top.cout: unknown key 'cout' in fill entry, .*did you mean 'count'?" bad.txt
"$erg" run hourglass --set fill.top.count=1000000 --out bad --json >bad.txt 2>&1
check "a fill that does not fit is exit 2" test $? = 2
check "and leaves no folder" test ! -e bad

cd / && rm -rf "$folder"
echo "$passed passed, $failed failed"
test "$failed" = 0
