# Shared by the script tests: `. "$(dirname "$0")/checks.sh"` at the top, `closing_line` at the end.
# Scripts run in a temporary folder; $ERG is the program.
set -u
export OMP_WAIT_POLICY=passive # tests share the cores
ERG=$(realpath "${ERG:-build/erg}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0 failed=0

ok() { # what, then a command that must succeed
    local what=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $what"
        if [ -s err.txt ]; then sed 's/^/    /' err.txt; fi
    fi
}

# Runs erg; wants this exit code and these words on stderr (stdout when the code is 0).
erg() { # code, words, arguments
    local code=$1 words=$2 got file
    shift 2
    "$ERG" "$@" > out.txt 2> err.txt
    got=$?
    file=err.txt
    [ "$code" -eq 0 ] && file=out.txt
    if [ $got -eq "$code" ] && { [ -z "$words" ] || grep -qF -- "$words" $file; }; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL erg $*: exit $got, expected $code and '$words'"
        sed 's/^/    /' out.txt err.txt
    fi
}

png_size() { # "W H" from the header
    od -An -tu1 -j16 -N8 "$1" | awk '{print $3 * 256 + $4, $7 * 256 + $8}'
}

differs() { ! cmp -s "$1" "$2"; } # two files

closing_line() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
}
