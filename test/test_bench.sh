# `erg bench`: its words, its JSON, its cache. No time is asserted: machines differ, hours too.
. "$(dirname "$0")/checks.sh"
export ERG_BENCH_CACHE=$work/cache/deep

refuses() { # exit code, words on stderr, arguments
    local code=$1 words=$2 got
    shift 2
    "$ERG" bench "$@" > out.txt 2> err.txt
    got=$?
    ok "bench $*: exit $got, expected $code and '$words'" \
        bash -c "[ $got -eq $code ] && grep -qF -- \"$words\" err.txt && [ ! -s out.txt ]"
}

look() { # what, then Python that asserts about r (the JSON) and row (its first row)
    ok "$1" /usr/bin/python3 -c "
import json
lines = open('out.txt').read().splitlines()
assert len(lines) == 1, lines
r = json.loads(lines[0]); row = r['rows'][0]
$2"
}

refuses 2 "there is no bench 'pakc'; did you mean 'pack'?" pakc
refuses 2 "--n must be a whole number from 100" pack --n 10
refuses 2 "--threads must be a whole number" pack --threads 0
refuses 2 "--repeats must be a whole number from 1 to" pack --repeats 0
ok "bad usage makes no folder" [ ! -e cache ]

small="--n 1000 --threads 1 --repeats 2 --window 0.01"
# shellcheck disable=SC2086
"$ERG" bench pack $small --json > out.txt 2> err.txt
ok "bench pack: exit 0" [ $? -eq 0 ]
look "top of the JSON" "assert list(r) == ['bench', 'machine', 'rows'] and r['bench'] == 'pack' and r['machine']"
look "the contract's fields come first" "
assert list(row)[:7] == ['name', 'n', 'threads', 'steps', 'wall_s', 'particle_steps_per_s', 'grain_steps_per_s'], row"
look "what was asked for" "assert (row['name'], row['n'], row['threads'], row['repeats']) == ('pack', 1000, 1, 2), row"
look "rates fit the times" "
assert abs(row['particle_steps_per_s'] * row['wall_s'] / (row['n'] * row['steps']) - 1) < 1e-4, row
assert row['best_particle_steps_per_s'] >= row['particle_steps_per_s'], row"
look "it is a pack" "assert 3 < row['coordination'] < 6 and row['dt'] == 1e-5 and row['bytes_per_particle'] > 0, row"
look "almost at rest" "assert row['kinetic_per_mgd'] < 0.01, row"
ok "the settled state is kept" ls cache/deep/pack-1000.pack

# The cache changes nothing but the time it takes; a broken file is made anew.
printf 'erg settled pack 1 1000 0 1 1\nshort' > cache/deep/pack-1000.pack
# shellcheck disable=SC2086
"$ERG" bench pack $small > out.txt 2> err.txt
ok "text, from a damaged cache" bash -c 'grep -q "n 1000" out.txt && grep -q "settling" err.txt'

# A peer that is not there is named, with the way to get it.
ERG_LAMMPS=$work/nosuch refuses 1 "make bench-peers installs it" peers $small

closing_line
