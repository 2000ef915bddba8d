# The installed package, used from outside the source tree: every example builds against it with
# pkg-config and with CMake, shared and static, and runs; the installed program finds its scenes
# after the whole prefix was moved.
set -u
passed=0 failed=0
check() { # NAME COMMAND...
    if "${@:2}" > "$TMPDIR/log" 2>&1; then
        passed=$((passed + 1)) && echo "ok   $1"
    else
        failed=$((failed + 1)) && sed 's/^/    /' "$TMPDIR/log" && echo "FAIL $1"
    fi
}

moved=$TMPDIR/moved
check install cmake --install "$ERG_BUILD" --prefix "$TMPDIR/prefix"
mv "$TMPDIR/prefix" "$moved"
export PKG_CONFIG_PATH=$moved/lib/pkgconfig LD_LIBRARY_PATH=$moved/lib
cd "$TMPDIR" || exit 1

cat > CMakeLists.txt << 'END'
cmake_minimum_required(VERSION 3.25)
project(stranger C)
find_package(erg 0.1 REQUIRED COMPONENTS static)
file(GLOB examples ${EXAMPLES}/*.c)
foreach(example ${examples})
    get_filename_component(name ${example} NAME_WE)
    add_executable(${name}_shared ${example})
    target_link_libraries(${name}_shared erg::erg)
    add_executable(${name}_static ${example})
    target_link_libraries(${name}_static erg::static)
endforeach()
END
check cmake_finds_package cmake -S . -B cm -DCMAKE_PREFIX_PATH="$moved" -DEXAMPLES="$ERG_SOURCE/examples"
check cmake_builds cmake --build cm

for example in "$ERG_SOURCE"/examples/*.c; do
    name=$(basename "$example" .c)
    check "${name}_pkg_config" cc -std=c17 "$example" -o "$name" $(pkg-config --cflags --libs erg)
    check "${name}_pkg_config_static" cc -std=c17 "$example" -o "$name-static" \
        $(pkg-config --cflags erg) "$moved/lib/liberg.a" $(pkg-config --static --libs erg)
    for program in "$name" "$name-static" "cm/${name}_shared" "cm/${name}_static"; do
        check "run_$program" env ERG_SCENES="$moved/share/erg/scenes" "./$program"
    done
done

if command -v c++ > /dev/null; then
    echo '#include <erg/erg.h>' > header.cpp
    check headers_are_cplusplus c++ -std=c++11 -Wall -Wextra -Werror -fsyntax-only header.cpp $(pkg-config --cflags erg)
fi

check scenes_of_the_moved_program "$moved/bin/erg" check hourglass
check meshes_of_the_moved_program "$moved/bin/erg" check mesh-hopper
./hopper_mesh own.stl > /dev/null
check the_example_writes_the_shipped_mesh cmp own.stl "$moved/share/erg/scenes/meshes/hopper.stl"

# ---- What there is to read ------------------------------------------------------------------------------
doc=$moved/share/doc/erg manual=$moved/share/man/man1/erg.1
check readme_is_installed cmp "$ERG_SOURCE/README.md" "$doc/README.md"
check docs_are_installed diff -r "$ERG_SOURCE/docs" "$doc/docs"
check examples_are_installed diff -r "$ERG_SOURCE/examples" "$doc/examples"
no_prefix() { ! grep -rIl -e "$TMPDIR" -e "$ERG_BUILD" "$moved/share"; }
check no_text_names_the_prefix no_prefix
options() { # of a help text: command and option, one a line
    grep -oE '^  --[a-z-]+' | sed "s/^ */$1 /"
}
all_options() {
    for command in $("$moved/bin/erg" --help | sed -n '/^commands:$/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
        "$moved/bin/erg" "$command" --help | options "$command"
    done
}
manual_options() {
    sed -e 's/\\-/-/g' -e 's/\\e/\\/g' "$manual" | awk '/^\.SS erg / {command = $3} /^\.B --/ && command {print command, $2}'
}
all_options > options.txt
same_options() { [ "$(wc -l < options.txt)" -gt 40 ] && manual_options | diff - options.txt; }
check the_manual_has_every_option_of_the_program same_options
if command -v man > /dev/null && command -v groff > /dev/null; then
    clean() { [ -z "$(LC_ALL=C.UTF-8 MANWIDTH=200 man --warnings -E UTF-8 -l "$manual" 2>&1 > page.txt)" ] && grep -q 'erg render SCENE' page.txt; }
    check the_manual_is_clean clean
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
