# `erg bench`: its text, JSON and cache. No times are asserted, because machines differ.
# labels: hdf5
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

refuses 2 "unknown benchmark 'pakc'; did you mean 'pack'?" pakc
refuses 2 "--n must be a whole number from 100" pack --n 10
refuses 2 "--threads must be a whole number" pack --threads 0
refuses 2 "--scene must be one of pack hopper tetra mixed all, got 'hoper'; did you mean hopper?" peers --scene hoper
refuses 2 "unknown peer 'nosuch'; omit --peer" peers --peer nosuch
refuses 2 "--check and --headroom are for" pack --check
refuses 2 "--calibrate is for \`erg bench landscape\`" pack --calibrate
refuses 2 "friction is for" landscape --friction 0.3
refuses 2 "unknown check 'heap-rst'; did you mean 'heap-rest'?" realtime --check heap-rst
refuses 2 "--scene must be one of sandcastle excavator hourglass squirrel" realtime --scene pack
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
look "at rest, and says so" "assert row['kinetic_per_mgd'] < 1e-9 and row['settled'] is True, row"
look "phases are shares of the whole" "
shares = [row[p + '_share'] for p in ('sort', 'lists', 'forces', 'integrate')]
assert abs(sum(shares) - 1) < 1e-4 and min(shares) >= 0 and row['forces_share'] > 0, row"
look "at rest no list is made anew" "assert row['rebuilds'] == 0, row"
if "$ERG" --version | grep -q -- +hdf5; then
    ok "tile and bed are kept" bash -c 'ls cache/deep/pack-1000-tile-v*.h5 cache/deep/pack-1000-v*.h5'
    for file in cache/deep/pack-1000-*.h5; do printf 'short' > "$file"; done
fi

# The cache changes nothing but the run time; a damaged file is made again.
# shellcheck disable=SC2086
"$ERG" bench pack $small > out.txt 2> err.txt
ok "text, from a damaged cache" bash -c 'grep -q "n 1000" out.txt && grep -q "settling" err.txt'
ok "phases in percent" grep -q "forces [0-9.]* %" out.txt

for isa in scalar avx2 avx512 avx512-wide; do
    # shellcheck disable=SC2086
    ERG_ISA=$isa "$ERG" bench pack $small --json > out.txt 2> err.txt
    grep -q "supports at most" err.txt && continue
    look "the instructions asked for, and said: $isa" "assert row['isa'] == '$isa', row"
done

# Without --threads: alternately on one and on all processors, if there are several.
"$ERG" bench pack --n 1000 --repeats 3 --window 0.01 --json > out.txt 2> err.txt
look "two threads beside one" "
rows = r['rows']
assert rows[0]['threads'] == 1 and 'over_one_thread' not in rows[0], rows
assert len(rows) == 1 or (rows[1]['threads'] > 1 and 0.01 < rows[1]['over_one_thread'] < 100), rows
assert all(row['settled'] and row['repeats'] == 3 for row in rows), rows"

# shellcheck disable=SC2086
"$ERG" bench quiet $small --json > out.txt 2> err.txt
look "quiet: no lists, no sorting" "
assert row['name'] == 'quiet' and row['rebuilds_per_1000_steps'] == 0 and row['lists_share'] == 0, row"

tiny="--n 600 --threads 1 --repeats 1 --window 0.01"
# shellcheck disable=SC2086
"$ERG" bench tetra $tiny --json > out.txt 2> err.txt
look "tetra: four spheres a grain" "
assert (row['name'], row['n']) == ('tetra', 600) and row['coordination'] > 1, row
assert abs(row['particle_steps_per_s'] / row['grain_steps_per_s'] - 4) < 1e-4, row"

"$ERG" bench sizes --n 100 --threads 1 --repeats 3 --window 0.001 --json > out.txt 2> err.txt
ok "sizes: beds of three sizes by turns" /usr/bin/python3 -c "
import json
rows = json.load(open('out.txt'))['rows']
assert [(r['name'], r['n']) for r in rows] == [('sizes', 100), ('sizes', 500), ('sizes', 2000)], rows
assert rows[0]['cost_over_smallest'] == 1 and all(r['cost_over_smallest'] > 0 for r in rows), rows"

"$ERG" bench bodies --n 150 --repeats 1 --window 0.0001 --json > out.txt 2> err.txt
look "bodies: none, fixed and free, in a bed and in a flow" "
rows = r['rows']
assert [w['name'] for w in rows] == ['bodies-' + k + f for f in ('', '-flow') for k in ('none', 'fixed', 'free')], rows
assert [w['bodies'] for w in rows] == [0, 1000, 1000] * 2 and all(w['n'] == 150 and w['threads'] == 1 for w in rows), rows
assert [w['bar'] for w in rows] == [None, 1.1, None] * 2 and all(w['relative'] > 0 for w in rows), rows"

# shellcheck disable=SC2086
"$ERG" bench cundall $tiny --json > out.txt 2> err.txt
look "cundall: beside the published figure" "
assert row['name'] == 'cundall' and row['n'] == 600, row
assert abs(row['over_published'] * 1.49e6 / row['grain_steps_per_s'] - 1) < 1e-4, row"

# shellcheck disable=SC2086
"$ERG" bench hopper $tiny --json > out.txt 2> err.txt
look "hopper: it flows" "assert (row['name'], row['n']) == ('hopper', 600) and row['kinetic_per_mgd'] > 1, row"

# shellcheck disable=SC2086
"$ERG" bench poly $tiny --json > out.txt 2> err.txt
look "poly: three sizes, cost against equal ones" "
rows = r['rows']
assert [w['size_ratio'] for w in rows] == [1, 10, 20] and rows[0]['per_contact_ratio'] == 1, rows
for w in rows:
    assert w['contacts'] > 100, w
    assert abs(w['ns_per_contact'] / rows[0]['ns_per_contact'] / w['per_contact_ratio'] - 1) < 1e-4, w"

"$ERG" bench laws --n 150 --repeats 1 --window 0.0001 --json > out.txt 2> err.txt
look "laws: rows of law, sizes and rolling, in a bed and in a flow" "
rows = r['rows']
names = [w['name'] for w in rows]
assert len(set(names)) == len(names) and {w['state'] for w in rows} == {'bed', 'flow'}, names
assert {(w['sizes'], w['rolling']) for w in rows} == {(s, b) for s in ('one-size', '10%', '1:2') for b in (True, False)}
assert len({w['tangential'] for w in rows}) == 8 and len({w['normal'] for w in rows}) == 4
assert all(('rolling' in w['name']) == w['rolling'] and ('double' in w['name']) == w['double'] for w in rows)
for w in rows:
    assert (w['state'] == 'flow' or w['ns_per_contact'] > 0) and w['relative'] > 0 and w['threads'] == 1 and w['n'] == 150, w
    assert w['bar'] == (None if w['double'] else 0.6 if w['rolling'] or w['tangential'] == 'yasuda' else 0.7), w
assert all(w['relative'] == 1 for w in rows if w['name'].endswith(' hertz-mindlin one-size')), names"

# shellcheck disable=SC2086
"$ERG" bench pour $tiny --json > out.txt 2> err.txt
look "pour: the box fills" "
assert row['name'] == 'pour' and 500 < row['n'] <= 600 and 0 < row['steps'] < row['steps_taken'], row"

# Small scenes under the names of the shipped ones.
mkdir small
for scene in sandcastle excavator hourglass-fine squirrel; do
    cat > small/$scene.yaml << 'END'
materials: {sand: {}}
grains: {bead: {material: sand, radius: 0.01}}
walls: [{material: sand, plane: {point: [0, 0, 0]}}]
fill: [{grain: bead, count: 60, region: {box: {min: [0, 0, 0.02], max: [0.2, 0.2, 0.4]}}}]
upsample: {count: 500, start: 0}
run: {time: 1}
END
done
ERG_SCENES=$work/small "$ERG" bench realtime --threads 1 --repeats 1 --window 0.1 --json > out.txt 2> err.txt
look "realtime: four scenes, beside the published times" "
rows = r['rows']
assert [w['name'] for w in rows] == ['sandcastle', 'excavator', 'hourglass', 'squirrel'], rows
assert list(row)[:9] == ['name', 'n', 'threads', 'steps', 'wall_s', 'particle_steps_per_s', 'grain_steps_per_s', 'lr', 'hr']
assert [w['paper_ms'] for w in rows] == [17.1, 32.6, 95.9, 48.8], rows
for w in rows:
    assert (w['n'], w['lr'], w['hr'], w['threads'], w['frames']) == (60, 60, 500, 1, 6) and w['steps'] >= 48, w
    assert 0 < w['hr_ms'] < w['frame_ms'] <= w['p95_ms'] <= w['largest_ms'] and 0 < w['lr_ms'] < w['frame_ms'], w
    assert w['cpu_ms'] > 0 and abs(w['paper_ratio'] * w['frame_ms'] / w['paper_ms'] - 1) < 1e-4, w
    assert 0 < w['search_share'] + w['solver_share'] + w['motion_share'] + w['hr_share'] <= 1, w"
ERG_SCENES=$work/small "$ERG" bench realtime --scene squirrel --repeats 1 --window 0.1 --json > out.txt 2> err.txt
look "realtime: one scene" "assert {w['name'] for w in r['rows']} == {'squirrel'}, r"
ERG_SCENES=$work/small "$ERG" bench realtime --check threads momentum --n 300 --json > out.txt 2> err.txt
ok "checks pass: exit 0" [ $? -eq 0 ]
look "checks that were named, in rows" "
rows = r['rows']
assert [w['name'] for w in rows] == ['momentum', 'momentum', 'threads'] and all(w['pass'] is True for w in rows), rows
assert all(w['measured'] <= w['allowed'] and w['quantity'] for w in rows), rows"
rm small/squirrel.yaml
export ERG_SCENES=$work/small
refuses 2 "there is no scene file 'squirrel'" realtime --threads 1
"$ERG" bench realtime --headroom --n 1000 --window 0.1 --threads 1 --json > out.txt 2> err.txt
look "headroom: sizes grow" "
assert [w['name'] for w in r['rows']] == ['lr-%d' % n for n in (1, 3, 10, 30, 100, 300, 1000)] + ['hr-%d' % n for n in (100, 300, 1000, 3000, 10000)], r
assert all(w['ns_per_particle_and_frame'] > 0 for w in r['rows']), r"
unset ERG_SCENES

# A missing peer is named, with instructions how to install it.
export ERG_LAMMPS=$work/nosuch ERG_LIGGGHTS=$work/nosuch ERG_YADE=$work/nosuch
refuses 1 "make bench-peers installs it" peers $small
for words in "LAMMPS ($work/nosuch), or" "LIGGGHTS ($work/nosuch), or" "YADE ($work/nosuch) is not installed"; do
    ok "$words" grep -qF "$words" err.txt
done

closing_line
