# Grains pass the neck of an hourglass at a constant rate, the same with both solvers.
. "$(dirname "$0")/checks.sh"

# From series.csv, of the grains above the neck while 15 to 75 % of them have passed: the rate, and
# R^2 of a line [thousandths].
fit() {
    awk -F, 'BEGIN { n = 0 }
        NR == 1 { for (k = 1; k <= NF; k++) if ($k == "upper.grains") u = k; next }
        NR == 2 { all = $u }
        all - $u > 0.15 * all && all - $u < 0.75 * all { t[n] = $1; p[n++] = all - $u }
        END {
            for (i = 0; i < n; i++) { mt += t[i] / n; mp += p[i] / n }
            for (i = 0; i < n; i++) {
                a = t[i] - mt; b = p[i] - mp
                tt += a * a; tp += a * b; pp += b * b
            }
            if (n < 10) print 0, 0
            else printf "%.0f %.0f\n", tp / tt, 1000 * tp * tp / (tt * pp)
        }' "$1"
}

for solver in dem pbd; do
    erg 0 "" run hourglass-spheres --solver $solver --time 0.6 --quiet --out $solver \
        --set fill.top.count=1500 --set output.snapshots=none
done
read -r dem dem_r2 < <(fit dem/series.csv)
read -r pbd pbd_r2 < <(fit pbd/series.csv)
echo "grains per second: $dem with dem, $pbd with pbd; R^2 $dem_r2 and $pbd_r2 thousandths"
ok "dem: a constant rate" [ "$dem_r2" -gt 990 ]
ok "pbd: a constant rate" [ "$pbd_r2" -gt 990 ]
ok "rates within 20 %" [ $((10 * pbd)) -gt $((8 * dem)) -a $((10 * pbd)) -lt $((12 * dem)) ]

closing_line
