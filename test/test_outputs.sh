# Output files: snapshots with all their parts and fields on a grid, read with VTK's own readers;
# their scene keys; and which files --force removes.
# labels: hdf5
. "$(dirname "$0")/checks.sh"
here=$ERG_SOURCE/test

# Beads and pairs of them in a tray, some of them late, and a body among them.
cat > scene.yaml <<'YAML'
title: Outputs
seed: 3
materials:
  sand: {density: 2500, young: 1e6, restitution: 0.2}
  wood: {density: 600, young: 1e6, restitution: 0.2}
grains:
  bead: {radius: 2e-3, material: sand}
  pair: {shape: dimer, radius: 1.5e-3, material: sand}
walls:
  - {name: tray, material: sand, box: {min: [0, 0, 0], max: [0.03, 0.03, 0.2], open: z-max}}
bodies:
  - {name: brick, material: wood, box: {size: [8e-3, 8e-3, 8e-3]}, position: [0.2, 0, 0.004], motion: fixed}
fill:
  - {grain: bead, count: 120, region: {box: {min: [0, 0, 0], max: [0.03, 0.03, 0.06]}}}
emitters:
  - {grain: pair, region: {box: {min: [0.004, 0.004, 0.06], max: [0.026, 0.026, 0.075]}}, rate: 1000, limit: 60}
probes:
  - {name: coarse, field: {bounds: [[0, 0, -0.005], [0.03, 0.03, 0.045]], spacing: 5e-3, every: 0.2, samples: 4}}
  - {name: plain, field: {bounds: [[0, 0, 0], [0.03, 0.03, 0.05]], cells: [1, 1, 10], kernel: cell, every: 0.2}}
run: {time: 0.4, threads: 1}
output: {snapshots: [vtk, hdf, ply], every: 0.1, contacts: true}
YAML

ok "a run with all of it" "$ERG" run scene.yaml --out all --quiet --json > all.json
for part in grains centres contacts bodies; do
    ok "$part" [ -s "all/snapshots/$part-000004.vtp" ]
    ok "the list of $part" [ "$(grep -c "$part-00000[0-4].vtp" "all/snapshots/$part.pvd")" -eq 5 ]
done
ok "the index of VTKHDF files" [ -s all/snapshots/grains.hdf ]
ok "fields" [ "$(ls all/fields | tr '\n' ' ')" = "coarse-000000.vti coarse-000001.vti coarse-000002.vti coarse.pvd plain-000000.vti plain-000001.vti plain-000002.vti plain.pvd " ]
ok "a list of fields" grep -q 'timestep="0.2[0-9]*" part="0" file="coarse-000001.vti"' all/fields/coarse.pvd

weight=$(sed -n 's/.*"mass": \([0-9.e-]*\).*/\1/p' all/summary.json | awk '{print 9.81 * $1; exit}')
if /usr/bin/python3 -c 'import vtk' 2> /dev/null; then
    ok "VTK reads it" /usr/bin/python3 "$here/read_with_vtk.py" all "$weight"
else
    echo "skip VTK reads it: no python3-vtk9 (tools/deps vtk installs it)"
fi

# ---- Only what was asked for ----------------------------------------------------------------------
ok "a run without" "$ERG" run scene.yaml --out few --time 0.02 --set output.contacts=false --set output.snapshots=hdf --quiet
ok "no contacts" [ ! -e few/snapshots/contacts-000000.vtp ]
ok "grains whatever the format of the spheres" [ -s few/snapshots/centres-000000.vtp ]
ok "no other format" [ ! -e few/snapshots/grains-000000.vtp ]
sed -e '/pair:/d' -e '/^emitters/,/^probes/{/^probes/!d}' scene.yaml > beads.yaml
ok "a run of beads" "$ERG" run beads.yaml --out beads --time 0.001 --quiet
ok "spheres are grains there" [ ! -e beads/snapshots/centres-000000.vtp ]

# ---- Fine particles -------------------------------------------------------------------------------
ok "a run with fine particles" "$ERG" run beads.yaml --out fine --time 0.001 --quiet --set 'upsample={ratio: 0.4, start: 0}' --set output.snapshots=ply --set 'probes=[]'
ok "they are in the first snapshot" grep -aq 'element vertex [1-9][0-9][0-9]' fine/snapshots/fine-000000.ply
"$ERG" run beads.yaml --out none --time 0 --set 'upsample={ratio: 0.4, start: 0, region: {sphere: {centre: [9, 9, 9], radius: 1}}}' --set 'probes=[]' 2> none.txt
ok "a region without grains is reported" grep -q 'upsample.region' none.txt

# With `count`, all grains share the particles: 60 of which a fourth has come after 0.05 s.
late=(--set fill=[] --set bodies=[] --set probes=[] --set emitters.0.rate=300 --set upsample.count=9000)
"$ERG" check scene.yaml --json "${late[@]}" > count.txt
ok "check counts those of grains from emitters" grep -q '"emitted":60,"fine":9000' count.txt
"$ERG" run scene.yaml --no-output --time 0.05 --json --quiet "${late[@]}" > count.txt
ok "a fourth of the grains has a fourth of the particles" grep -q '"fine":2[0-9][0-9][0-9],' count.txt

# ---- The folder -----------------------------------------------------------------------------------
touch all/fields/mine all/snapshots/contacts.txt
ok "--force" "$ERG" run beads.yaml --out all --force --time 0.001 --quiet --set output.snapshots=none --set 'probes=[]'
ok "removes ours" [ "$(ls all/fields all/snapshots | tr '\n' ' ')" = "all/fields: mine  all/snapshots: contacts.txt " ]

# ---- Keys -----------------------------------------------------------------------------------------
sed 's/cells: \[1, 1, 10\]/cells: [1, 1]/' scene.yaml > bad.yaml
erg 2 "bad.yaml:19:75:" check bad.yaml
sed 's/spacing: 5e-3/spacing: 1e-5/' scene.yaml > bad.yaml
erg 2 "bad.yaml:18:" check bad.yaml
erg 2 "expected at most 4194304" check bad.yaml
erg 2 "expected the smaller first" check scene.yaml --set probes.0.field.bounds='[[0, 0, 0], [1, -1, 1]]'
erg 2 "spacing" check scene.yaml --set probes.0.field.cells='[2, 2, 2]'
erg 2 "lucy, gauss, cell" check scene.yaml --set probes.0.field.kernel=luzy
erg 2 "more samples than can be counted" run scene.yaml --no-output --set probes.0.field.every=1e-20
erg 2 "contacts" check scene.yaml --set output.contacts=3

closing_line
