#include "upsample/fine_walls.h"

#include "base/memory.h"
#include "geom/surface.h"
#include "geom/vec3.h"

// In units of `keep`: the distance of contact, and the shortest stride.
static const double CONTACT = (double)ERGI_FINE_CONTACT, STRIDE = 0.45;
enum { STRIDES = 64, GROUP_STRIDES = 12, ROUNDS = 3 };

// Cells of a table of distances, and of all tables together.
enum { MOST_CELLS = 4000000, MOST_CELLS_OF_ALL = 32000000, LEAST_CELLS = 1000 };

static void free_tables(ergi_fine_walls *walls)
{
    for (size_t k = 0; k < walls->tables; k++) ergi_gap_table_free(&walls->table[k]);
    ergi_memory_free(walls->table);
    ergi_memory_free(walls->table_of);
    walls->table = NULL;
    walls->table_of = NULL;
    walls->tables = walls->tabled = 0;
}

void ergi_fine_walls_free(ergi_fine_walls *walls)
{
    ergi_memory_free(walls->wall);
    ergi_memory_free(walls->box);
    free_tables(walls);
    ergi_box_tree_free(&walls->tree);
    *walls = (ergi_fine_walls){0};
}

size_t ergi_fine_walls_bytes(const ergi_fine_walls *walls)
{
    size_t tables = walls->tables * sizeof *walls->table + walls->tabled * sizeof *walls->table_of;
    for (size_t k = 0; k < walls->tables; k++) tables += ergi_gap_table_bytes(&walls->table[k]);
    return tables + walls->room * sizeof *walls->wall + walls->box_room * sizeof *walls->box +
           ergi_box_tree_bytes(&walls->tree);
}

// ---- Kinds of walls ----------------------------------------------------------------------------
static bool is_terrain(const ergi_surface *surface)
{
    return surface->kind == ERGI_SURFACE_HEIGHTS;
}

// A container, half-space or terrain: particles are allowed on one side only, so the end of the
// path decides.
static bool has_one_side(const ergi_surface *surface)
{
    return surface->side == ERGI_SIDE_INSIDE || is_terrain(surface) ||
           (surface->kind == ERGI_SURFACE_PLANE && surface->side == ERGI_SIDE_OUTSIDE);
}

static bool is_simple(const ergi_surface *surface)
{
    return has_one_side(surface) && !ergi_surface_is_mesh(surface) && !(surface->bump_spacing > 0);
}

static bool moves(const ergi_pose *a, const ergi_pose *b)
{
    return ergi_distance(a->position, b->position) > 0 || a->rotation.x != b->rotation.x ||
           a->rotation.y != b->rotation.y || a->rotation.z != b->rotation.z ||
           a->rotation.w != b->rotation.w;
}

// ---- Bounds of walls ---------------------------------------------------------------------------
static void add_bounds(const ergi_wall *wall, const ergi_pose *pose, ergi_extents *box)
{
    erg_vec3 low, high;
    (void)ergi_wall_bounds(wall, pose, &low, &high);
    // A container acts on every particle outside it, at any distance.
    if (wall->surface.side == ERGI_SIDE_INSIDE) {
        low = ergi_vec3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL);
        high = ergi_vec3(HUGE_VAL, HUGE_VAL, HUGE_VAL);
    }
    const double l[3] = {low.x, low.y, low.z}, h[3] = {high.x, high.y, high.z};
    for (int a = 0; a < 3; a++) {
        box->low[a] = fmin(box->low[a], l[a]);
        box->high[a] = fmax(box->high[a], h[a]);
    }
}

// ---- Tables of distances -----------------------------------------------------------------------
// Number of the first wall with the same surface as wall w, wherever it is.
static size_t first_equal(const ergi_world_wall *wall, size_t w)
{
    for (size_t k = 0; k < w; k++)
        if (ergi_gap_table_same(&wall[k].wall.surface, &wall[w].wall.surface)) return k;
    return w;
}

static double cell_side(const ergi_surface *surface, double keep)
{
    return ergi_surface_is_mesh(surface) ? keep : 0.25 * keep;
}

// Most cells of each of so many tables.
static size_t most_cells(size_t tables)
{
    size_t share = MOST_CELLS_OF_ALL / (tables > 0 ? tables : 1);
    return share > MOST_CELLS ? MOST_CELLS : share < LEAST_CELLS ? LEAST_CELLS : share;
}

static size_t count_tables(const ergi_world_wall *wall, size_t count)
{
    size_t tables = 0;
    for (size_t w = 0; w < count; w++) {
        const ergi_surface *of = &wall[w].wall.surface;
        tables += ergi_gap_table_same(of, of) && first_equal(wall, w) == w;
    }
    return tables;
}

size_t ergi_fine_walls_expected_bytes(const ergi_world_wall *wall, size_t count, double keep)
{
    size_t bytes = 0, most = most_cells(count_tables(wall, count));
    for (size_t w = 0; w < count && keep > 0; w++) {
        const ergi_surface *of = &wall[w].wall.surface;
        if (first_equal(wall, w) == w)
            bytes += ergi_gap_table_expected_bytes(of, cell_side(of, keep), most);
    }
    return bytes;
}

static erg_status make_tables(ergi_fine_walls *walls, const ergi_world_wall *wall, size_t count,
                              erg_error *err)
{
    if (walls->tabled == count) return ERG_OK;
    free_tables(walls);
    const char *what = "distances to walls";
    size_t      needed = count_tables(wall, count);
    erg_status  status = ERG_OK;
    walls->table = ergi_memory_new(needed + 1, sizeof *walls->table, what, err);
    walls->table_of = ergi_memory_new(count, sizeof *walls->table_of, what, err);
    if (!walls->table || !walls->table_of) return ERG_NO_MEMORY;
    walls->tables = 1; // the empty one
    for (size_t w = 0; w < count && status == ERG_OK; w++) {
        const ergi_surface *of = &wall[w].wall.surface;
        size_t              first = first_equal(wall, w);
        if (first < w) walls->table_of[w] = walls->table_of[first];
        if (first < w || !ergi_gap_table_same(of, of)) continue;
        walls->table_of[w] = (uint32_t)walls->tables;
        status = ergi_gap_table_make(&walls->table[walls->tables++], of, cell_side(of, walls->keep),
                                     most_cells(needed), err);
    }
    if (status == ERG_OK) walls->tabled = count;
    return status;
}

erg_status ergi_fine_walls_set(ergi_fine_walls *walls, const ergi_world_wall *wall,
                               const ergi_pose *from, const ergi_wall_state *state, size_t count,
                               erg_error *err)
{
    erg_status status = ergi_memory_grow(&walls->wall, &walls->room, count, sizeof *walls->wall,
                                         "walls of fine particles", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&walls->box, &walls->box_room, count, sizeof *walls->box,
                                  "walls of fine particles", err);
    if (status == ERG_OK) status = make_tables(walls, wall, count, err);
    if (status != ERG_OK) return status;
    walls->count = count;
    walls->exact = 0;
    walls->sweep = 0;
    for (size_t w = 0; w < count; w++) {
        const ergi_wall *of = &wall[w].wall;
        const ergi_pose *now = &state[w].pose;
        ergi_extents     box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
        add_bounds(of, &from[w], &box);
        add_bounds(of, now, &box);
        walls->wall[w] =
            (ergi_fine_wall){.surface = &of->surface,
                             .table = &walls->table[walls->table_of[w]],
                             .from = {of->pivot, from[w].position, from[w].rotation},
                             .to = {of->pivot, now->position, now->rotation},
                             .velocity = now->velocity,
                             .spin = now->spin,
                             .box = box,
                             .sweep = ergi_wall_sweep(of, &from[w], now, 1e3 * walls->reach),
                             .moves = moves(&from[w], now),
                             .simple = is_simple(&of->surface)};
        if (!walls->wall[w].simple) {
            walls->exact++;
            walls->sweep = fmax(walls->sweep, walls->wall[w].sweep);
        }
        walls->box[w] = box;
    }
    return ergi_box_tree_build(&walls->tree, walls->box, count, err);
}

size_t ergi_fine_walls_near(const ergi_fine_walls *walls, ergi_extents box, uint32_t *list)
{
    for (int a = 0; a < 3; a++) {
        box.low[a] -= walls->reach;
        box.high[a] += walls->reach;
    }
    return ergi_box_tree_query(&walls->tree, &box, list);
}

// Into the frame of the wall. Most walls never rotate: a translation then suffices.
static erg_vec3 in_frame(const ergi_placement *at, erg_vec3 p)
{
    return ergi_quat_turns(at->rotation) ? ergi_placement_before(at, p) : ergi_sub(p, at->position);
}

// ---- One wall ----------------------------------------------------------------------------------
// Distance to the surface in its own frame, and the outward normal. With bumps, the distance is
// exact only below `near`, and a lower bound above.
static double gap_at(const ergi_surface *surface, erg_vec3 p, double near, erg_vec3 *normal)
{
    ergi_surface_hit nearest = ergi_surface_nearest(surface, p);
    double           gap = nearest.gap - surface->bump_radius;
    *normal = nearest.normal;
    if (!(surface->bump_spacing > 0)) return nearest.gap;
    if (gap >= near) return gap;
    ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS];
    int              count = ergi_surface_hits(surface, p, near, hits);
    gap = fmin(nearest.gap, near);
    for (int k = 0; k < count; k++)
        if (hits[k].gap < gap) {
            gap = hits[k].gap;
            *normal = hits[k].normal;
        }
    return gap;
}

// Lower bound on the distance to the surface in its own frame.
static double gap_at_least(const ergi_fine_walls *walls, uint32_t wall, erg_vec3 p)
{
    const ergi_surface *surface = walls->wall[wall].surface;
    double              gap = ergi_gap_table_at_least(walls->wall[wall].table, surface, p);
    return gap - (surface->bump_spacing > 0 ? surface->bump_radius : 0);
}

// How far a point and the columns of a terrain are apart at least, if less than `reach`; else
// reach. The distance to a tangent plane may change faster than the point moves; this does not.
static double above_columns(const ergi_height_field *field, erg_vec3 p, double reach)
{
    ergi_heights_range columns;
    if (p.z - field->high >= reach || !ergi_heights_columns_near(field, p, reach, &columns))
        return reach;
    return fmin(reach, p.z - ergi_heights_highest(field, &columns, HUGE_VAL));
}

// For particles within `radius` of p: lower bound on their distance. Cells of the table need not be
// smaller than the group.
static double gap_of_group(const ergi_fine_walls *walls, uint32_t wall, erg_vec3 p, double radius)
{
    const ergi_surface *surface = walls->wall[wall].surface;
    double              bumps = surface->bump_spacing > 0 ? surface->bump_radius : 0;
    if (is_terrain(surface)) return above_columns(surface->heights, p, walls->reach) - radius;
    if (walls->wall[wall].table->gap) {
        double gap = ergi_gap_table_roughly(walls->wall[wall].table, surface, p, radius);
        if (isfinite(gap)) return gap - bumps - radius;
    }
    return ergi_surface_nearest(surface, p).gap - bumps - radius;
}

// The path of the group is traced backwards in the frame of the wall, as for one particle.
double ergi_fine_walls_bound(const ergi_fine_walls *walls, uint32_t wall, erg_vec3 from,
                             erg_vec3 to, double radius)
{
    const ergi_fine_wall *w = &walls->wall[wall];
    erg_vec3              end = in_frame(&w->to, to);
    double                bound = gap_of_group(walls, wall, end, radius);
    if (has_one_side(w->surface)) return bound;
    erg_vec3 way = ergi_sub(in_frame(&w->from, from), end);
    double   length = ergi_norm(way), at = 0, clear = bound - walls->keep;
    for (int k = 0; k < GROUP_STRIDES && clear > 0; k++) {
        at += clear;
        if (at >= length) return bound;
        erg_vec3 p = ergi_madd(end, at / length, way);
        clear = gap_of_group(walls, wall, p, radius) - walls->keep;
    }
    return length > 0 ? -HUGE_VAL : bound;
}

// Whether the table proves that a particle at `end` does not touch the wall; *gap is then a lower
// bound on the distance.
static bool surely_clear(const ergi_fine_walls *walls, uint32_t wall, erg_vec3 end, double *gap)
{
    const ergi_fine_wall *w = &walls->wall[wall];
    if (!w->table->gap || w->surface->bump_spacing > 0 || !has_one_side(w->surface)) return false;
    *gap = ergi_gap_table_at_least(w->table, w->surface, in_frame(&w->to, end));
    return *gap >= CONTACT * walls->keep;
}

typedef struct trace {
    erg_vec3 at;     // end of the path
    erg_vec3 normal; // at the last contact
    double   gap;    // lower bound at the end [m]
    bool     touched;
} trace;

// Traces the path from `from` to `to` in the frame of the surface. Every stride is shorter than the
// gap at its start, so that none crosses the surface.
static trace trace_path(const ergi_fine_walls *walls, uint32_t wall, erg_vec3 from, erg_vec3 to,
                        double keep)
{
    const ergi_surface *surface = walls->wall[wall].surface;
    bool                one_side = has_one_side(surface);
    bool is_flat = one_side && surface->kind == ERGI_SURFACE_PLANE && !(surface->bump_spacing > 0);
    if (one_side) from = to;
    trace    m = {.at = from};
    erg_vec3 way = ergi_sub(to, from);
    for (int k = 0; k < STRIDES; k++) {
        erg_vec3 normal;
        m.gap = gap_at_least(walls, wall, m.at);
        if (m.gap < (CONTACT + STRIDE) * keep)
            m.gap = gap_at(surface, m.at, one_side ? keep : 2 * keep, &normal);
        if (m.gap < CONTACT * keep) {
            double into = ergi_dot(way, normal);
            m.at = ergi_madd(m.at, keep - m.gap, normal);
            m.gap = keep;
            if (into < 0) way = ergi_madd(way, -into, normal);
            m.touched = true;
            m.normal = normal;
            if (is_flat) break;
            if (k + 1 < STRIDES) continue; // in a corner another face may now be too near
        }
        double left = ergi_norm(way);
        if (!(left > 0)) break;
        double stride = fmin(left, fmax(m.gap - CONTACT * keep, STRIDE * keep));
        m.at = stride < left ? ergi_madd(m.at, stride / left, way) : ergi_add(m.at, way);
        way = stride < left ? ergi_scale(way, 1 - stride / left) : ergi_vec3(0, 0, 0);
        m.gap -= stride;
        // The remaining gap is large enough without another query.
        if (!(stride < left) && m.gap >= CONTACT * keep) break;
    }
    // A path too long to follow ends where it was followed to.
    if (ergi_norm(way) > 0 && !m.touched) {
        m.touched = true;
        m.normal = ergi_normalize(ergi_scale(way, -1));
    }
    return m;
}

// ---- All walls ---------------------------------------------------------------------------------
// Velocity after contact: without the component into the wall, and with Coulomb friction along it.
static erg_vec3 slide(const ergi_fine_wall *wall, erg_vec3 at, erg_vec3 normal, double friction,
                      erg_vec3 velocity)
{
    erg_vec3 arm = ergi_sub(ergi_sub(at, wall->to.pivot), wall->to.position);
    erg_vec3 own = ergi_add(wall->velocity, ergi_cross(wall->spin, arm));
    erg_vec3 relative = ergi_sub(velocity, own);
    double   into = ergi_dot(relative, normal);
    if (!(into < 0)) return velocity;
    erg_vec3 along = ergi_madd(relative, -into, normal);
    double   speed = ergi_norm(along), lost = -friction * into;
    double   left = speed > lost ? 1 - lost / speed : 0;
    return ergi_madd(own, left, along);
}

double ergi_fine_walls_move(const ergi_fine_walls *walls, const uint32_t *list, size_t count,
                            erg_vec3 from, erg_vec3 *to, erg_vec3 *velocity)
{
    double travel = walls->reach;
    // Cycles through the walls until none of them has moved the particle for a whole cycle.
    size_t quiet = 0;
    for (size_t n = 0; n < ROUNDS * count && quiet < count; n++, quiet++) {
        uint32_t              wall = list[n % count];
        const ergi_fine_wall *w = &walls->wall[wall];
        double                gap;
        if (surely_clear(walls, wall, *to, &gap)) {
            if (!w->simple) travel = fmin(travel, gap);
            continue;
        }
        trace m =
            trace_path(walls, wall, in_frame(&w->from, from), in_frame(&w->to, *to), walls->keep);
        if (!w->simple) travel = fmin(travel, m.gap);
        if (!m.touched) continue;
        erg_vec3 normal = ergi_quat_rotate(w->to.rotation, m.normal);
        *to = ergi_placement_now(&w->to, m.at);
        *velocity = slide(w, *to, normal, walls->friction, *velocity);
        quiet = 0;
    }
    return travel - CONTACT * walls->keep;
}

bool ergi_fine_walls_clear(const ergi_fine_walls *walls, const uint32_t *list, size_t count,
                           erg_vec3 from, erg_vec3 to)
{
    for (size_t k = 0; k < count; k++) {
        const ergi_fine_wall *w = &walls->wall[list[k]];
        erg_vec3              normal, end = in_frame(&w->to, to);
        erg_vec3              start = in_frame(&w->to, from);
        if (gap_at(w->surface, end, 2 * walls->keep, &normal) < walls->keep) return false;
        if (w->surface->side == ERGI_SIDE_BOTH &&
            trace_path(walls, list[k], start, end, 0.5 * walls->keep).touched)
            return false;
    }
    return true;
}
