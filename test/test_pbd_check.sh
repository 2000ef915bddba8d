# erg check says once, per key, what has no meaning to the real-time solver and its variants.
. "$(dirname "$0")/checks.sh"

cat > scene.yaml << 'END'
materials:
  sand: {density: 2500, young: 1e7, restitution: 0.3, friction: 0.3, rolling: 0.1, cohesion: 100}
grains:
  bead: {material: sand, radius: 0.005}
walls:
  - {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: sand}
fill:
  - {grain: bead, count: 10, region: {box: {min: [0, 0, 0], max: [0.1, 0.1, 0.1]}}}
pbd: {mass_scaling: 20}
run: {precision: double}
END

said() { # arguments of erg check, then the keys that it must name
    "$ERG" check scene.yaml --solver pbd --set pbd.variant="$1" 2>&1 | grep 'means nothing' |
        sed -E 's/^note: ([a-z]+): ([a-z_]+) means.*/\1.\2/' | sort | tr '\n' ' '
}

ok "variant erg" [ "$(said erg)" = "materials.young pbd.mass_scaling run.precision " ]
ok "variant sommer" [ "$(said sommer)" = "materials.cohesion materials.restitution materials.rolling materials.young run.precision " ]

sed -i 's/^run: {precision: double}/run: {precision: double, dt: 0.001, orient_spheres: true}/' scene.yaml
sed -i 's/mass_scaling: 20/mass_scaling: 20, substeps: 8/' scene.yaml
cat >> scene.yaml << 'END'
bodies:
  - {sphere: {radius: 0.02}, material: sand, position: [0, 0, 0.3], contact: spheres, sphere_radius: 0.004}
END
ok "substeps beside run.dt" [ "$(said erg)" = "materials.young pbd.mass_scaling pbd.substeps run.precision " ]
ok "what samples replace" [ "$(said sommer)" = "bodies.contact bodies.sphere_radius materials.cohesion materials.restitution materials.rolling materials.young pbd.substeps run.orient_spheres run.precision " ]

# Half of sqrt(r/g) is 11.29 ms.
too_long() {
    "$ERG" check scene.yaml --solver pbd --set run.dt="$1" 2>&1 | grep -c 'at most 0.01129 s'
}
ok "run.dt has an upper limit" [ "$(too_long 0.012)" = 1 ]
ok "up to it all is allowed" [ "$(too_long 0.011)" = 0 ]

closing_line
