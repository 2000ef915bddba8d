# A build without OpenMP gives the same bits as this one on several threads.
set -u
passed=0 failed=0
cmake -S "$ERG_SOURCE" -B "$TMPDIR/serial" -G Ninja -DERG_OPENMP=OFF -DERG_TESTS=OFF > "$TMPDIR/log" 2>&1 &&
    cmake --build "$TMPDIR/serial" >> "$TMPDIR/log" 2>&1 || { tail -20 "$TMPDIR/log"; echo "0 passed, 1 failed"; exit 1; }
hash_of() { "$1" run "$2" --time "$3" --threads "$4" --no-output --quiet --json | grep -o '"state_hash":"[0-9a-f]*"'; }

for scene in "column 0.02" "hourglass 0.005" "pile 0.05" "drum 0.01"; do
    set -- $scene
    threaded=$(hash_of "$ERG" "$1" "$2" 3) serial=$(hash_of "$TMPDIR/serial/erg" "$1" "$2" 1)
    if [ -n "$serial" ] && [ "$threaded" = "$serial" ]; then
        passed=$((passed + 1)) && echo "ok   $1"
    else
        failed=$((failed + 1)) && echo "FAIL $1: $threaded with OpenMP, $serial without"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
