# A run in which grains overlap by more than 5 % of a radius warns once, with the remedy.
. "$(dirname "$0")/checks.sh"

scene() { # Young's modulus
    cat << YAML
materials: {sand: {young: $1}}
grains: {bead: {material: sand, radius: 2e-3}}
walls: [{name: floor, material: sand, plane: {}}]
fill: [{grain: bead, count: 1, region: {box: {min: [0, 0, 0.2], max: [5e-3, 5e-3, 0.206]}}}]
run: {time: 0.3}
YAML
}
scene 1e6 > soft.yaml
scene 1e9 > hard.yaml
erg 0 "" run soft.yaml --out soft
cat out.txt err.txt > said.txt
ok "says so once" [ "$(grep -c 'grains overlapped by up to' said.txt)" -eq 1 ]
ok "with the cure" grep -q 'raise young (.* times as high gives about 5 %' said.txt
ok "in the summary" grep -q '"warning": *"grains overlapped by up to' soft/summary.json
erg 0 "" run hard.yaml --out hard
ok "no word about hard grains" eval '! grep -q overlapped out.txt err.txt hard/summary.json'
closing_line
