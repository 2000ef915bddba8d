# Dependencies go one way: a file includes headers only of its own folder and of folders below it,
# and the program includes nothing from src.
set -u
rooms=(base law geom world contact terrain upsample solver dem pbd io draw api scene run) # from the ground up
passed=0 failed=0

for i in "${!rooms[@]}"; do
    above=$(IFS='|' && echo "${rooms[*]:i+1}")
    found=$(cd "$ERG_SOURCE/src" && grep -nE "#include \"(${above:-none})/" "${rooms[i]}"/* 2> /dev/null)
    if [ -n "$found" ]; then
        failed=$((failed + 1)) && printf '    %s\nFAIL %s\n' "$found" "${rooms[i]}"
    else
        passed=$((passed + 1)) && echo "ok   ${rooms[i]}"
    fi
done

# A solver is known by its table alone: no other room includes one or calls it, solvers do not include
# each other, and solver/solvers.h has the line that names it.
solvers=(dem pbd cuda)
for one in "${solvers[@]}"; do
    found=$(cd "$ERG_SOURCE" &&
        grep -rnE "#include \"$one/|\bergi_${one}_\w+" src viewer cli bench --include='*.[ch]' |
        grep -vE "^src/$one/|^src/solver/solvers[.]h:")
    if [ -n "$found" ]; then
        failed=$((failed + 1)) && printf '    %s\nFAIL %s is used outside\n' "$found" "$one"
    else
        passed=$((passed + 1)) && echo "ok   $one is known by its table"
    fi
done

# Pictures are a customer of the public interface: no room that holds a world is open to them.
if (cd "$ERG_SOURCE/src" && grep -rnE '#include "(law|contact|upsample|world|solver|dem)/' draw); then
    failed=$((failed + 1)) && echo "FAIL draw looks at the inside of a world"
else
    passed=$((passed + 1)) && echo "ok   draw sees worlds from outside"
fi

own=$(IFS='|' && echo "${rooms[*]}")
if grep -nE "#include \"($own)/" "$ERG_SOURCE"/cli/*; then
    failed=$((failed + 1)) && echo "FAIL cli"
else
    passed=$((passed + 1)) && echo "ok   cli"
fi

# The window sees worlds from outside too; it draws, and does with files and clocks what pictures do.
inside='law|contact|upsample|world|solver|dem|api|scene|run'
if grep -nE "#include \"($inside)/" "$ERG_SOURCE"/viewer/*; then
    failed=$((failed + 1)) && echo "FAIL viewer looks at the inside of a world"
else
    passed=$((passed + 1)) && echo "ok   viewer sees worlds from outside"
fi

# One name, one meaning: no two headers share an include guard, and no shared type is defined in two rooms.
# (File-local types have no prefix and may share a name.)
cd "$ERG_SOURCE" || exit 1
guards=$(grep -rhoE '^#ifndef [A-Z0-9_]+_H$' --include='*.h' include src viewer cli bench test | sort | uniq -d)
if [ -n "$guards" ]; then
    failed=$((failed + 1)) && printf '    %s\nFAIL include guards that two headers have\n' "$guards"
else
    passed=$((passed + 1)) && echo "ok   include guards"
fi

# "type room" of every definition: those with a body, and names for other types.
types=$(
    for room in include/erg src/* viewer cli bench; do
        grep -rhE '^(typedef )?(struct|enum|union) ergi?_\w+ \{|^typedef [^{]*;' --include='*.[ch]' "$room" |
            sed -nE -e 's/^(typedef )?(struct|enum|union) (ergi?_\w+) \{.*/\3/p' \
                -e '/^typedef (struct|enum|union) (\w+) +\2;/d' \
                -e 's/^typedef .*\(\*?(ergi?_\w+)\)\(.*/\1/p' -e 's/^typedef [^(]*[ *](ergi?_\w+)(\[.*)?;.*/\1/p' |
            sort -u | sed "s|\$| $room|"
    done
)
twice=$(echo "$types" | cut -d' ' -f1 | sort | uniq -d | while read -r type; do echo "$types" | grep "^$type "; done)
if [ -n "$twice" ]; then
    failed=$((failed + 1)) && echo "$twice" | sed 's/^/    /' && echo "FAIL types that two rooms define"
else
    passed=$((passed + 1)) && echo "ok   types ($(echo "$types" | wc -l))"
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
