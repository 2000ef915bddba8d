# The laws and surface queries are headers for three languages: each compiles alone as C and as C++,
# and in C++ and CUDA they give the same bits as in C. The CUDA part needs nvcc and is skipped
# without it; a device is used if there is one.
set -u
passed=0 failed=0
check() { # NAME COMMAND...
    if "${@:2}" > "$TMPDIR/log" 2>&1; then
        passed=$((passed + 1)) && echo "ok   $1"
    else
        failed=$((failed + 1)) && sed 's/^/    /' "$TMPDIR/log" && echo "FAIL $1"
    fi
}
has() { command -v "$1" > /dev/null; }

include=(-I"$ERG_SOURCE/src" -I"$ERG_SOURCE/include" -I"$ERG_SOURCE/test")
strict=(-Wall -Wextra -Wpedantic -Wshadow -Werror)
cd "$ERG_SOURCE/src" || exit 1

# ---- Each header alone, all of a room in one name
alone() { # COMPILER STANDARD SUFFIX ROOM OPTIONS...
    local header bad=0
    for header in law/*.h geom/query*.h; do
        [ "${header%%/*}" = "$4" ] || continue
        printf '#include "%s"\n' "$header" > "$TMPDIR/alone.$3"
        "$1" "-std=$2" "${strict[@]}" "${include[@]}" "${@:5}" -fsyntax-only "$TMPDIR/alone.$3" || bad=1
    done
    return $bad
}
for compiler in gcc clang g++ clang++; do
    if ! has $compiler; then echo "     no $compiler: left out" && continue; fi
    standard=c17 suffix=c
    case $compiler in *++) standard=c++17 suffix=cpp ;; esac
    check "law_${compiler}_float" alone $compiler $standard $suffix law
    check "law_${compiler}_double" alone $compiler $standard $suffix law -DERG_REAL_DOUBLE
    check "geom_${compiler}" alone $compiler $standard $suffix geom
done

# ---- The same bits; nothing of the library is needed to ask
asked=
for compiler in g++ clang++; do
    if ! has $compiler; then continue; fi
    check "builds_$compiler" $compiler -std=c++17 "${strict[@]}" "${include[@]}" -O2 -ffp-contract=off \
        -shared -fPIC -Wl,-z,defs -o "$TMPDIR/$compiler.so" "$ERG_SOURCE/test/ask_surfaces.cpp" -lm
    asked="$asked $compiler=$TMPDIR/$compiler.so:ask_here"
done
if has nvcc; then
    check builds_nvcc nvcc -std=c++17 -arch=sm_90 --fmad=false -Werror all-warnings "${include[@]}" -O2 \
        -shared -Xcompiler -fPIC,-ffp-contract=off -o "$TMPDIR/nvcc.so" "$ERG_SOURCE/test/ask_surfaces.cu"
    asked="$asked nvcc=$TMPDIR/nvcc.so:ask_here device=$TMPDIR/nvcc.so:ask_on_device"
else
    echo "     no nvcc: the headers as CUDA are left out"
fi
check same_bits env ERG_ASKED="$asked" "$ERG_BUILD/test/test_queries" other_compilers
sed -n 's/^ *\([^ ]*: .*answers.*\)/     \1/p; s/^ *\([^ ]*: no device\)/     \1/p' "$TMPDIR/log"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
