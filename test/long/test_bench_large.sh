# labels: hdf5
# `erg bench` with beds as large as those that are raced, between walls and without.
. "$(dirname "$0")/../checks.sh"
export ERG_BENCH_CACHE=$work/cache

look() { # what, then Python that asserts about row (the JSON's only row)
    ok "$1" /usr/bin/python3 -c "
import json
row, = json.load(open('out.txt'))['rows']
$2"
}

"$ERG" bench pack --n 105000 --threads 2 --repeats 1 --window 0.01 --json > out.txt 2> err.txt
ok "bench pack: exit 0" [ $? -eq 0 ]
look "it is at rest from the beginning" "
assert row['n'] == 105000 and row['kinetic_per_mgd'] < 1e-9 and row['settled'] is True and row['rebuilds'] == 0, row"
look "and packed like a smaller one" "
assert 4.6 < row['coordination'] < 4.7 and 0.57 < row['whole_volume_fraction'] < row['volume_fraction'] < 0.6, row"
ok "nothing had to settle but the tile" bash -c 'grep -q "dropping a tile of 5000" err.txt && ! grep -q "between walls" err.txt'

"$ERG" bench pack --n 10000 --threads 2 --repeats 1 --window 0.01 --json > out.txt 2> err.txt
look "a bed between walls is packed and at rest too" "
assert row['n'] == 10000 and 4.58 < row['coordination'] < 4.7 and row['settled'] is True, row"

closing_line
