# tools/cost-plot: one line per series, at the height given by the rows.
. "$(dirname "$0")/checks.sh"
plot() { "$ERG_SOURCE/tools/cost-plot" "$@" > out.txt 2> err.txt; }

row() { # name, n, threads, particle-steps a second
    printf '{"name":"%s","n":%d,"threads":%d,"particle_steps_per_s":%s,"best_particle_steps_per_s":%s}' "$1" "$2" "$3" "$4" "$4"
}
file() { # rows
    local IFS=,
    printf '{"bench":"pack","machine":"a <machine>","rows":[%s]}\n' "$*"
}
file "$(row pack 1000 1 1e7)" "$(row pack 1000 2 2e7)" "$(row hopper 1000 1 1e3)" > a.json
file "$(row pack 100000 1 5e6)" "$(row pack 100000 2 1e7)" > b.json
plot a.json b.json
ok "exit 0" [ $? -eq 0 ]
ok "an SVG with a line for each number of threads, twice the cost twice as high" /usr/bin/python3 -c "
import xml.etree.ElementTree as xml
root = xml.parse('out.txt').getroot()
of = lambda kind: root.findall('.//{http://www.w3.org/2000/svg}' + kind)
texts = [t.text for t in of('text')]
assert 'erg, 1 thread' in texts and 'erg, 2 threads' in texts and 'a <machine>' in texts, texts
assert '1k' in texts and '100k' in texts, texts
height = [float(c.get('cy')) for c in of('circle')]
assert len(height) == 4, height
floor = 2 * height[0] - height[1] # 100 ns, 200 ns
assert abs((floor - height[2]) - 0.5 * (floor - height[0])) < 0.2 and abs(height[3] - height[0]) < 0.2, height"
cat a.json b.json > both.json
cp out.txt once.txt
plot both.json
ok "one file of several runs is the same" cmp -s once.txt out.txt

printf '{"bench":"peers","machine":"a <machine>","rows":[{"name":"pack","n":1000,"threads":1,"code":"LAMMPS gran",
"particle_steps_per_s":3e7,"peer_particle_steps_per_s":2e6,"peer_best_particle_steps_per_s":2.5e6}]}' > peers.json
plot a.json b.json peers.json
ok "who was raced has a line of its own, five times as high; what erg did beside it is left out" /usr/bin/python3 -c "
import xml.etree.ElementTree as xml
root = xml.parse('out.txt').getroot()
of = lambda kind: root.findall('.//{http://www.w3.org/2000/svg}' + kind)
assert 'LAMMPS, 1 thread' in [t.text for t in of('text')]
height = [float(c.get('cy')) for c in of('circle')]
assert len(height) == 5, height
floor = 2 * height[0] - height[1]
assert abs((floor - height[4]) - 5 * (floor - height[0])) < 0.5, height"

plot nosuch.json
ok "a missing file is named" grep -q "cannot read 'nosuch.json'" err.txt
plot --bench tetra a.json
ok "no such rows" grep -q "no row of the bench 'tetra'" err.txt
echo "pack 12" > c.json
plot c.json
ok "not JSON" grep -q "'c.json' is not JSON" err.txt
echo '{"rows":[{"name":"pack"}]}' > d.json
plot d.json
ok "not a bench's JSON" grep -q "is not what erg bench --json prints" err.txt

closing_line
