// Spheres near walls: the broad phase finds every wall that a test of all walls finds.
// labels: asan clang
#include "contact/near_walls.h"
#include "world_helpers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SPHERES = 1500, WALLS = 120 };

static uint64_t seed = 1;

static double any(double from, double to)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return from + (to - from) * (double)(seed >> 11) * 0x1p-53;
}

static erg_vec3 any_point(double reach)
{
    erg_vec3 p = {any(-reach, reach), any(-reach, reach), any(-reach, reach)};
    return p;
}

static erg_wall_side any_side(bool closed)
{
    double pick = any(0, 3);
    if (!closed || pick < 1) return ERG_SIDE_BOTH;
    return pick < 2 ? ERG_SIDE_INSIDE : ERG_SIDE_OUTSIDE;
}

// Of sizes from a grain's to far beyond all of them.
static erg_wall_def any_wall(int k, const erg_mesh *mesh)
{
    static const erg_wall_shape SHAPE[] = {ERG_WALL_BOX,    ERG_WALL_SPHERE,  ERG_WALL_CYLINDER,
                                           ERG_WALL_FUNNEL, ERG_WALL_CAPSULE, ERG_WALL_MESH};
    erg_wall_def def = erg_wall_def_default(k % 20 == 0 ? ERG_WALL_PLANE : SHAPE[k % 6]);
    double       size = pow(10, any(-2, 0.5));
    erg_vec3     at = any_point(1), more = {size, 0.7 * size, 0.4 * size};
    def.material = 1;
    switch (def.shape) {
    case ERG_WALL_PLANE:
        def.plane.point = at;
        def.plane.normal = any_point(1);
        break;
    case ERG_WALL_BOX:
        def.box.min = at;
        def.box.max = (erg_vec3){at.x + more.x, at.y + more.y, at.z + more.z};
        def.side = any_side(true);
        break;
    case ERG_WALL_SPHERE:
        def.sphere.centre = at;
        def.sphere.radius = size;
        def.side = any_side(true);
        break;
    case ERG_WALL_CYLINDER:
        def.cylinder.a = at;
        def.cylinder.b = (erg_vec3){at.x + more.x, at.y + more.y, at.z + more.z};
        def.cylinder.radius = 0.3 * size;
        break;
    case ERG_WALL_FUNNEL:
        def.funnel.outlet = at;
        def.funnel.axis = any_point(1);
        def.funnel.outlet_radius = 0.2 * size;
        def.funnel.top_radius = size;
        def.funnel.height = size;
        break;
    case ERG_WALL_CAPSULE:
        def.capsule.a = at;
        def.capsule.b = (erg_vec3){at.x + more.x, at.y, at.z};
        def.capsule.radius = 0.2 * size;
        break;
    default:
        def.mesh.mesh = mesh;
        def.mesh.position = at;
        break;
    }
    if (k % 7 == 0 && def.shape != ERG_WALL_MESH) {
        def.rough.radius = 0.01;
        def.rough.spacing = 0.03;
    }
    return def;
}

// Turned and moved, by a margin of its own.
static void place_wall(ergi_wall_state *state, int k)
{
    erg_vec3 turn = any_point(3);
    memset(state, 0, sizeof *state);
    state->pose = ergi_pose_identity();
    if (k % 3 == 0) return;
    state->pose.position = any_point(0.3);
    if (k % 3 == 1) state->pose.rotation = ergi_quat_exp(turn);
    state->list_skin = any(0, 0.02);
}

// Compact in blocks, or, scattered, anywhere.
static void place_spheres(double *x, float *sphere_skin, bool scattered)
{
    erg_vec3 corner = {0, 0, 0};
    for (size_t i = 0; i < SPHERES; i++) {
        if (i % 100 == 0) corner = any_point(1.5);
        erg_vec3 p = scattered ? any_point(1.5) : any_point(0.05);
        x[4 * i] = p.x + (scattered ? 0 : corner.x);
        x[4 * i + 1] = p.y + (scattered ? 0 : corner.y);
        x[4 * i + 2] = p.z + (scattered ? 0 : corner.z);
        x[4 * i + 3] = any(0.002, 0.01);
        sphere_skin[i] = (float)any(0, 0.003);
    }
}

// The answer of asking every wall, as it was before there was a broad phase.
static int hits_of(const ergi_near_walls_in *in, size_t i, size_t w, float *spare)
{
    ergi_wall_hit hits[ERGI_WALL_MAX_HITS];
    const double *x = in->position + 4 * i;
    double        touch =
        x[3] + in->skin_factor * (in->sphere_skin ? (double)in->sphere_skin[i] : in->uniform_skin);
    double   least = HUGE_VAL;
    erg_vec3 centre = {x[0], x[1], x[2]};
    int      found = ergi_wall_hits(&in->wall[w].wall, &in->state[w].pose, centre,
                                    touch + in->state[w].list_skin, hits);
    for (int h = 0; h < found; h++) least = fmin(least, hits[h].gap);
    *spare = (float)((least - touch) * (1 - 1e-6));
    return found;
}

static bool agree(const ergi_near_walls_in *in, int threads_count, size_t *pairs)
{
    ergi_threads    threads = {.count = threads_count};
    ergi_near_walls near = {0};
    uint32_t       *found = malloc(SPHERES * sizeof *found);
    size_t          rows = 0;
    erg_error       err;
    bool ok = ergi_near_walls_find(&near, in, &threads, found, &rows, pairs, &err) == ERG_OK;
    ergi_near_walls_out out = {
        malloc((rows + 1) * sizeof(uint32_t)), malloc((rows + 1) * sizeof(uint32_t)),
        malloc((*pairs + 1) * sizeof(uint32_t)), malloc((*pairs + 1) * sizeof(float))};
    ergi_near_walls_list(&near, in, found, &out);
    size_t row = 0, pair = 0;
    for (size_t i = 0; i < (size_t)in->count && ok; i++) {
        size_t from = pair;
        for (size_t w = 0; w < in->walls && ok; w++) {
            float spare;
            if (!hits_of(in, i, w, &spare)) continue;
            ok = pair < *pairs && out.wall[pair] == w &&
                 memcmp(&out.spare[pair], &spare, sizeof spare) == 0;
            pair++;
        }
        if (pair == from) continue;
        ok = ok && row < rows && out.sphere[row] == i && out.start[row] == from;
        row++;
    }
    ok = ok && row == rows && pair == *pairs && out.start[rows] == pair &&
         out.sphere[rows] == UINT32_MAX;
    free(out.sphere);
    free(out.start);
    free(out.wall);
    free(out.spare);
    free(found);
    ergi_near_walls_free(&near);
    return ok;
}

// Lists by distance may be longer; an entry is to be skipped only while nothing can touch.
static bool hold_by_distance(const ergi_near_walls_in *in, size_t *waiting)
{
    ergi_threads    threads = {.count = 1};
    ergi_near_walls near = {0};
    uint32_t       *found = malloc(SPHERES * sizeof *found);
    size_t          rows = 0, pairs = 0, pair = 0;
    erg_error       err;
    bool ok = ergi_near_walls_find(&near, in, &threads, found, &rows, &pairs, &err) == ERG_OK;
    ergi_near_walls_out out = {
        malloc((rows + 1) * sizeof(uint32_t)), malloc((rows + 1) * sizeof(uint32_t)),
        malloc((pairs + 1) * sizeof(uint32_t)), malloc((pairs + 1) * sizeof(float))};
    ergi_near_walls_list(&near, in, found, &out);
    for (size_t i = 0; i < (size_t)in->count && ok; i++) {
        size_t end = pair + found[i];
        for (size_t w = 0; w < in->walls && ok; w++) {
            const double *x = in->position + 4 * i;
            ergi_wall_hit hits[ERGI_WALL_MAX_HITS];
            erg_vec3      centre = {x[0], x[1], x[2]};
            double        touch = x[3] + in->uniform_skin, least = HUGE_VAL;
            double        reach = touch + in->state[w].list_skin;
            int n = ergi_wall_hits(&in->wall[w].wall, &in->state[w].pose, centre, reach, hits);
            for (int h = 0; h < n; h++) least = fmin(least, fabs(hits[h].gap));
            bool listed = pair < end && out.wall[pair] == w;
            if (n) ok = listed && (double)out.spare[pair] <= fmax(least - touch, 0);
            *waiting += listed && out.spare[pair] > 0;
            pair += listed;
        }
        ok = ok && pair == end;
    }
    free(out.sphere);
    free(out.start);
    free(out.wall);
    free(out.spare);
    free(found);
    ergi_near_walls_free(&near);
    return ok;
}

TEST(every_wall_is_found_that_asking_all_would_find)
{
    static double          x[4 * SPHERES];
    static float           sphere_skin[SPHERES];
    static ergi_world_wall wall[WALLS];
    static ergi_wall_state state[WALLS];
    erg_error              err;
    erg_mesh              *mesh = NULL;
    size_t                 waiting = 0;
    erg_primitive          cone = erg_primitive_default(ERG_PRIMITIVE_CONE);
    cone.radius = cone.height = 0.2;
    cone.segments = 12;
    CHECK(erg_mesh_primitive(&cone, &mesh, &err) == ERG_OK);
    for (int round = 0; round < 6; round++) {
        int made = 0;
        for (int k = 0; k < WALLS; k++) {
            erg_wall_def def = any_wall(k, mesh);
            memset(&wall[made], 0, sizeof *wall);
            if (ergi_wall_init(&wall[made].wall, &def, &err) != ERG_OK) continue;
            place_wall(&state[made++], k);
        }
        CHECK(made > WALLS * 9 / 10);
        place_spheres(x, sphere_skin, round % 3 == 2);
        ergi_near_walls_in in = {.position = x,
                                 .count = SPHERES,
                                 .sphere_skin = round % 2 ? sphere_skin : NULL,
                                 .uniform_skin = 0.004,
                                 .skin_factor = 1 + round % 2,
                                 .wall = wall,
                                 .state = state,
                                 .walls = (size_t)made};
        size_t             pairs = 0;
        CHECK(agree(&in, 1 + round % 2, &pairs));
        CHECK(pairs > 1000);
        for (int w = 0; w < made; w++) state[w].list_skin += 0.3;
        in.by_distance = true;
        in.sphere_skin = NULL;
        in.skin_factor = 1;
        CHECK(hold_by_distance(&in, &waiting));
        for (int w = 0; w < made; w++) ergi_wall_free(&wall[w].wall);
    }
    CHECK(waiting > 100);
    erg_mesh_destroy(mesh);
}

TEST(no_walls_and_no_spheres)
{
    ergi_near_walls_in in = {.skin_factor = 1};
    size_t             pairs = 1;
    CHECK(agree(&in, 1, &pairs));
    CHECK(pairs == 0);
}

TEST(a_tree_answers_as_looking_at_all_boxes_does)
{
    enum { BOXES = 300 };
    static ergi_extents box[BOXES];
    uint32_t            found[BOXES];
    ergi_box_tree       tree = {0};
    erg_error           err;
    for (int k = 0; k < BOXES; k++) {
        erg_vec3 at = any_point(1);
        double   size = pow(10, any(-3, 0));
        box[k] = (ergi_extents){{at.x, at.y, at.z}, {at.x + size, at.y + size, at.z + size}};
        if (k % 50 == 7) box[k].high[k % 3] = HUGE_VAL;
    }
    CHECK(ergi_box_tree_build(&tree, box, BOXES, &err) == ERG_OK);
    bool same = true;
    for (int q = 0; q < 500 && same; q++) {
        erg_vec3     at = any_point(1.2);
        double       size = any(0, 0.2);
        ergi_extents asked = {{at.x, at.y, at.z}, {at.x + size, at.y + size, at.z + size}};
        size_t       n = ergi_box_tree_query(&tree, &asked, found), at_found = 0;
        for (uint32_t k = 0; k < BOXES && same; k++) {
            bool named = at_found < n && found[at_found] == k;
            same = named || !ergi_extents_meet(&box[k], &asked);
            at_found += named;
        }
        same = same && at_found == n && n < BOXES / 2;
    }
    CHECK(same);
    ergi_box_tree_free(&tree);
}

TEST_MAIN(every_wall_is_found_that_asking_all_would_find, no_walls_and_no_spheres,
          a_tree_answers_as_looking_at_all_boxes_does)
