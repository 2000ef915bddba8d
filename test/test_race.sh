# tools/race: how it judges two builds. Fake erg programs report the speeds.
. "$(dirname "$0")/checks.sh"

# fake FOLDER SPEED...: an erg that says these speeds in turn; it reads states of its own form alone.
fake() {
    local folder=$1
    shift
    mkdir -p "$folder"
    echo "$@" > "$folder/speeds"
    cat > "$folder/erg" << 'END'
#!/bin/bash
here=$(dirname "$0")
echo "$*" >> "$here/calls"
echo "$(basename "$here")" >> order.txt
form=$(cat "$here/form" 2> /dev/null || echo 1)
[ "$(cat "$ERG_BENCH_CACHE/$2.h5" 2> /dev/null)" = "$form" ] || { echo settled >> "$here/settled"; echo "$form" > "$ERG_BENCH_CACHE/$2.h5"; }
read -ra speeds < "$here/speeds"
case $* in *"--window 0.1 "*) k=0 ;; *) k=$(wc -l < "$here/turns" 2> /dev/null || echo 0); echo turn >> "$here/turns" ;; esac
[ "${speeds[0]}" = broken ] && { echo "no such bench" >&2; exit 2; }
echo "{\"rows\":[{\"n\":${GRAINS:-50000},\"particle_steps_per_s\":${speeds[k % ${#speeds[@]}]},\"bytes_per_particle\":500}]}"
END
    chmod +x "$folder/erg"
}
races() { # exit code, words, more arguments; the builds are in old and new
    local got
    rm -f -- */calls */turns */settled order.txt
    "$ERG_SOURCE/tools/race" "${@:3}" old new > out.txt 2> err.txt
    got=$?
    ok "exit $got, expected $1 and '$2'" bash -c "[ $got -eq $1 ] && cat out.txt err.txt | grep -qE -- '$2'"
}
unset ERG_BENCH_CACHE

# Nine rounds: the median is what counts, not a bad round or two.
fake old 100 && fake new 94 94 94 94 94 10 10 500 500
races 0 "^pack 50000 +1 +100 +94 +0.940 +0.100 +5.000 +500 +500$"
ok "six rows" [ "$(grep -cE "^(pack 50000|hopper 50000|tetra 40000) +[12] " out.txt)" -eq 6 ]
ok "nine rounds of six rows in both, and one call a scene that settles" [ "$(cat old/calls new/calls | wc -l)" -eq $((2 * (9 * 6 + 3))) ]
ok "by turns, each first in every other round" [ "$(head -n 8 order.txt | tr '\n' ' ')" = "old new old new new old old new " ]
ok "how it asks" grep -qx "bench tetra --n 40000 --threads 2 --repeats 1 --window 1 --json" new/calls
ok "NEW starts from the states of OLD" bash -c "[ -e old/settled ] && [ ! -e new/settled ] && ! grep -q settled out.txt"

fake new 92
races 1 "^hopper 50000 +2 +100 +92 +0.920 .*FAIL$" --rounds 1
ok "and names the rows" grep -q "slower than 0.93 times OLD: pack 50000 on 1, pack 50000 on 2, hopper 50000 on 1" err.txt

# One row alone: the third of six.
fake new 100 100 90 100 100 100
races 1 "slower than 0.93 times OLD: hopper 50000 on 1$" --rounds 1

# A new form of states: settled once more, in a folder of its own, and not in every round.
fake new 100 && echo 2 > new/form
races 0 "NEW does not read the settled states of OLD: it settled its own for tetra" --rounds 2
ok "once a scene, and OLD not again" bash -c "[ $(wc -l < new/settled) -eq 3 ] && [ ! -e old/settled ]"

fake new broken
races 1 "new/erg bench pack .* ended with 2"
ok "with what it said" grep -q "no such bench" err.txt
fake new nonsense
races 1 "ended with 0"
"$ERG_SOURCE/tools/race" old nowhere > out.txt 2> err.txt
ok "no such build" grep -q "there is no program erg at nowhere" err.txt
"$ERG_SOURCE/tools/race" old > out.txt 2> err.txt
ok "bad usage" [ $? -eq 2 ]

closing_line
