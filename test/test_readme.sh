# labels: clang
# The documentation must work: every complete scene in README.md and docs/ is accepted, and README's
# program compiles against this build and runs README's scene.
set -u
passed=0 failed=0
check() { # NAME COMMAND...
    if "${@:2}" > "$TMPDIR/log" 2>&1; then
        passed=$((passed + 1)) && echo "ok   $1"
    else
        failed=$((failed + 1)) && sed 's/^/    /' "$TMPDIR/log" && echo "FAIL $1"
    fi
}

# Writes each block of LANGUAGE in FILE to PREFIX-1, PREFIX-2, ...
blocks() { # FILE LANGUAGE PREFIX
    awk -v fence="\`\`\`$2" -v prefix="$3" '
        inside && /^```/ { inside = 0; close(name) }
        inside { print > name }
        $0 == fence { inside = 1; name = prefix "-" ++count }' "$1"
}

cd "$TMPDIR" || exit 1

for document in "$ERG_SOURCE"/README.md "$ERG_SOURCE"/docs/*.md; do
    name=$(basename "$document" .md)
    blocks "$document" yaml "$name-yaml"
    for block in "$name"-yaml-*; do
        [ -f "$block" ] || continue
        head -n 1 "$block" | grep -q '^title:' || continue # a part of a scene
        mv "$block" "$block.yaml"
        check "scene_$block" "$ERG" check "$block.yaml"
    done
done

check readme_has_a_scene test -f README-yaml-1.yaml
blocks "$ERG_SOURCE/README.md" c README-c
check readme_has_a_program test -f README-c-1

cp README-yaml-1.yaml my.yaml
cp README-c-1 my.c
check program_compiles cc -std=c17 -Wall -Wextra -Werror my.c -o my -I"$ERG_SOURCE/include" \
    -L"$ERG_BUILD" -lerg -Wl,-rpath,"$ERG_BUILD"
check program_runs bash -c './my > my.txt'
check program_tells_its_grains grep -q '^300 grains at 1' my.txt

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
