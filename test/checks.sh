# What the script tests share: `. "$(dirname "$0")/checks.sh"` at the top, `closing_line` at the end.
# They run in a folder of their own, gone afterwards; $ERG is the program.
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

closing_line() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
}
