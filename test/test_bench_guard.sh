# tools/bench-guard: how it judges a count. A fake valgrind reports the number that the test needs;
# the real counting is left to make bench-guard.
. "$(dirname "$0")/checks.sh"

mkdir bin
cat > bin/valgrind << 'END'
#!/bin/sh
for word; do
    case $word in --callgrind-out-file=*) printf 'events: Ir\ntotals: %s\n' "$COUNT" > "${word#*=}" ;; esac
done
echo "$ERG_ISA $word"
END
chmod +x bin/valgrind
compiler=$("$ERG_BUILD/guard" --compiler)
guard() { PATH=$work/bin:$PATH "$ERG_SOURCE/tools/bench-guard" "$@" > out.txt 2> err.txt; }
judges() { # exit code, words, count
    local got
    COUNT=$3 guard "$ERG_BUILD" counts.txt
    got=$?
    ok "count $3: exit $got, expected $1 and '$2'" bash -c "[ $got -eq $1 ] && cat out.txt err.txt | grep -qF -- '$2'"
}

judges 1 "none stored; make bench-guard-renew stores them" 1000
ok "renewing: exit 0" env COUNT=1000 PATH="$work/bin:$PATH" "$ERG_SOURCE/tools/bench-guard" --renew "$ERG_BUILD" counts.txt > out.txt
ok "a line a case" [ "$(grep -c " 1000 $compiler\$" counts.txt)" -eq "$("$ERG_BUILD/guard" | wc -l)" ]
judges 0 "avx2 spheres" 1000
judges 0 "ok   spheres: 1029 instructions, +2.90 %" 1029
judges 1 "FAIL spheres: 1031 instructions, +3.10 %" 1031
judges 1 "FAIL tetrahedra: 969 instructions, -3.10 %" 969
judges 1 "counted nothing" 0
sed -i 's/ 1000 .*/ 1000 Other 1.0/' counts.txt
judges 0 "not compared: the stored 1000 are by Other 1.0" 5000
echo "spheres many" > counts.txt
judges 1 "has a line that is not" 1000

"$ERG_BUILD/guard" spheres > out.txt 2> err.txt
ok "the program steps its case" [ $? -eq 0 ]
"$ERG_BUILD/guard" cubes > out.txt 2> err.txt
ok "an unknown case" [ $? -eq 2 ]
guard --nonsense
ok "bad usage" grep -q "tools/bench-guard \[--renew\]" err.txt

closing_line
