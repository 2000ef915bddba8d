# The tutorial: every scene of docs/tutorial.md is accepted and runs as printed.
source=$(realpath "${ERG_SOURCE:-.}")
. "$(dirname "$0")/checks.sh"

# Each yaml block goes to the file named in the last line before it of the form `NAME.yaml`:
awk '/^```/ { if (inside) close(name); inside = $0 == "```yaml"; next }
     inside { print > name }
     /^`[a-z-]*\.yaml`:$/ { name = substr($0, 2, length($0) - 3) }' "$source/docs/tutorial.md"

set -- ./*.yaml
ok "four scenes" [ $# -eq 4 ]
ok "as many as there are yaml blocks" [ "$(grep -c '^```yaml$' "$source/docs/tutorial.md")" -eq 4 ]

for scene in handful heap funnel ball; do
    erg 0 "" check $scene.yaml
    erg 0 "" run $scene.yaml --time 0.03
    ok "$scene writes a series" [ -s results/$scene/series.csv ]
    ok "$scene has a picture" [ -s "$source/docs/pictures/tutorial-$scene.png" ]
done
ok "1000 grains in the handful" grep -q '"grains": 1000,' results/handful/summary.json
ok "the funnel writes snapshots" [ -s results/funnel/snapshots/grains.pvd ]
ok "the ball has columns in the series" grep -q 'ball\.vx' results/ball/series.csv
erg 0 "" check funnel.yaml --set walls.funnel.funnel.outlet_radius=0.008
erg 0 "" check ball.yaml --set materials.sand.young=8e8 --set materials.steel.young=8e8

closing_line
