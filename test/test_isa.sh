# Every instruction set gives the same bits: ERG_ISA selects one. Those that this processor does not
# support are skipped.
set -u
passed=0 failed=0
hash_of() { ERG_ISA=$1 "$ERG" run "$2" --time "$3" --no-output --quiet --json | grep -o '"state_hash":"[0-9a-f]*"'; }

for scene in "column 0.02" "hourglass 0.02" "brazil-nut 0.02" "pile 0.06" "hourglass-spheres 0.005"; do
    set -- $scene
    wanted=$(hash_of scalar "$1" "$2")
    for isa in avx2 avx512 avx512-wide; do
        got=$(hash_of $isa "$1" "$2" 2> "$TMPDIR/err")
        if grep -q "supports at most" "$TMPDIR/err"; then continue; fi
        if [ -n "$wanted" ] && [ "$got" = "$wanted" ]; then
            passed=$((passed + 1)) && echo "ok   $1 $isa"
        else
            failed=$((failed + 1)) && echo "FAIL $1 $isa: $got, scalar has $wanted"
        fi
    done
done
# The real-time solver and fine particles, too.
for run in "erg pile 0.3" "sommer pile 0.3" "fine hourglass-fine 0.3"; do
    set -- $run
    hash_of_pbd() {
        ERG_ISA=$1 "$ERG" run "$3" --solver pbd --time "$4" --no-output --quiet --json $5 | grep -o '"state_hash":"[0-9a-f]*"'
    }
    more=
    [ "$1" = sommer ] && more="--set pbd.variant=sommer"
    [ "$1" = fine ] && more="--set upsample.start=0 --set upsample.count=20000"
    wanted=$(hash_of_pbd scalar "$1" "$2" "$3" "$more")
    for isa in avx2 avx512; do
        got=$(hash_of_pbd $isa "$1" "$2" "$3" "$more" 2> "$TMPDIR/err")
        if grep -q "supports at most" "$TMPDIR/err"; then continue; fi
        if [ -n "$wanted" ] && [ "$got" = "$wanted" ]; then
            passed=$((passed + 1)) && echo "ok   pbd $1 $isa"
        else
            failed=$((failed + 1)) && echo "FAIL pbd $1 $isa: $got, scalar has $wanted"
        fi
    done
done
# What is measured has the same bits, too: here contact forces, asked one by one.
series_of() {
    ERG_ISA=$1 "$ERG" run incline --time 0.04 --set output.series_every=0.01 --set output.snapshots=none \
        --set 'fill.layer.count=200' --quiet --force --out "$TMPDIR/series"
}
series_of scalar && cp "$TMPDIR/series/series.csv" "$TMPDIR/wanted.csv"
for isa in avx2 avx512 avx512-wide; do
    series_of $isa 2> "$TMPDIR/err"
    if grep -q "supports at most" "$TMPDIR/err"; then continue; fi
    if cmp "$TMPDIR/series/series.csv" "$TMPDIR/wanted.csv"; then
        passed=$((passed + 1)) && echo "ok   series $isa"
    else
        failed=$((failed + 1)) && echo "FAIL series $isa"
    fi
done
if ERG_ISA=mmx "$ERG" run column --time 0 --no-output 2>&1 | grep -q "ERG_ISA is 'mmx', expected scalar, avx2, avx512 or avx512-wide"; then
    passed=$((passed + 1)) && echo "ok   unknown name"
else
    failed=$((failed + 1)) && echo "FAIL unknown name"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
