#include "terrain/press.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

#define TOUCH 0.1 // a tool this close above a column touches it [spacings]

enum { NEIGHBOURS = 8 };
static const int32_t step_x[NEIGHBOURS] = {1, 0, -1, 0, 1, -1, -1, 1},
                     step_y[NEIGHBOURS] = {0, 1, 0, -1, 1, 1, -1, -1};

erg_status ergi_press_create(ergi_press *press, const ergi_columns *c, erg_error *err)
{
    memset(press, 0, sizeof *press);
    return ergi_column_set_create(&press->held, c, err);
}

void ergi_press_free(ergi_press *press)
{
    ergi_memory_free(press->column);
    ergi_memory_free(press->foot);
    ergi_memory_free(press->number);
    ergi_memory_free(press->queue);
    ergi_column_set_free(&press->held);
    ergi_underside_free(&press->under);
    memset(press, 0, sizeof *press);
}

size_t ergi_press_bytes(const ergi_press *press, const ergi_columns *c)
{
    return press->column_room * sizeof *press->column + press->foot_room * sizeof *press->foot +
           (press->number_room + press->queue_room) * sizeof *press->number +
           press->under.room * sizeof *press->under.low +
           press->under.triangle_room * sizeof *press->under.triangle +
           ergi_column_set_bytes(&press->held, c);
}

// ---- Columns that are touched ------------------------------------------------------------------
static erg_status add_column(ergi_press *press, ergi_columns *c, ergi_footprint *foot, int32_t i,
                             int32_t j, double low, erg_error *err)
{
    size_t row = ergi_columns_row(c, i, j);
    if (low > ergi_columns_z(c, ergi_columns_height(c)[row]) + TOUCH * c->spacing) return ERG_OK;
    erg_status status = ergi_memory_grow(&press->column, &press->column_room, press->columns + 1,
                                         sizeof *press->column, "columns below a body", err);
    if (status == ERG_OK) status = ergi_column_set_add(&press->held, row, err);
    if (status != ERG_OK) return status;
    press->column[press->columns++] = (ergi_pressed){.i = i, .j = j, .low = low};
    press->hash = ergi_hash_word(press->hash, row);
    if (i < foot->i0) foot->i0 = i;
    if (i > foot->i1) foot->i1 = i;
    if (j < foot->j0) foot->j0 = j;
    if (j > foot->j1) foot->j1 = j;
    return ERG_OK;
}

static erg_status find_columns(ergi_press *press, ergi_columns *c, const ergi_tool *tool,
                               const erg_world *world, ergi_footprint *foot, erg_error *err)
{
    const ergi_pose *pose = &world->wall_state[tool->wall].pose;
    ergi_underside  *under = &press->under;
    erg_vec3         low, high;
    *foot = (ergi_footprint){press->columns, press->columns, INT32_MAX, INT32_MAX, -1, -1};
    ergi_wall_bounds(&world->wall[tool->wall].wall, pose, &low, &high);
    double top = press->top + c->spacing;
    if (low.z > top || high.x < c->lower[0] || high.y < c->lower[1] ||
        low.x > c->lower[0] + c->spacing * c->count[0] ||
        low.y > c->lower[1] + c->spacing * c->count[1])
        return ERG_OK;
    ergi_placement at = ergi_tool_placement(tool, world, pose);
    erg_status     status = ergi_underside_find(under, tool, &at, c, top, err);
    const double  *z = under->low;
    for (int32_t j = under->j0; j < under->j0 + under->nj && status == ERG_OK; j++)
        for (int32_t i = under->i0; i < under->i0 + under->ni && status == ERG_OK; i++, z++)
            if (*z < HUGE_VAL) status = add_column(press, c, foot, i, j, *z, err);
    foot->end = press->columns;
    return status;
}

// ---- Ways out of the footprint -----------------------------------------------------------------
typedef struct spreading {
    ergi_press            *press;
    ergi_columns          *c;
    const ergi_footprint  *foot;
    const ergi_column_set *covered;
    const ergi_wall       *wall;
    const ergi_pose       *pose;
    size_t                 wide; // of the box, with one column around it
    ergi_follow            follow;
    ergi_press_report     *report;
} spreading;

// The touched column at (i, j), 0: none, else 1 + its place in the list.
static uint32_t *number_at(const spreading *s, int32_t i, int32_t j)
{
    return &s->press
                ->number[(size_t)(j - s->foot->j0 + 1) * s->wide + (size_t)(i - s->foot->i0 + 1)];
}

static bool is_ring(const spreading *s, int32_t i, int32_t j)
{
    return ergi_columns_inside(s->c, i, j) &&
           !ergi_column_set_has(&s->press->held, ergi_columns_row(s->c, i, j));
}

static erg_status number_columns(spreading *s, erg_error *err)
{
    ergi_press           *press = s->press;
    const ergi_footprint *f = s->foot;
    s->wide = (size_t)(f->i1 - f->i0 + 3);
    size_t     cells = s->wide * (size_t)(f->j1 - f->j0 + 3);
    erg_status status = ergi_memory_grow(&press->number, &press->number_room, cells,
                                         sizeof *press->number, "columns below a body", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&press->queue, &press->queue_room, f->end - f->begin,
                                  sizeof *press->queue, "columns below a body", err);
    if (status != ERG_OK) return status;
    memset(press->number, 0, cells * sizeof *press->number);
    for (size_t k = f->begin; k < f->end; k++)
        *number_at(s, press->column[k].i, press->column[k].j) = (uint32_t)k + 1;
    return ERG_OK;
}

// Breadth first from the ring. Returns the number of columns in the queue: those that are reached.
static size_t find_distances(spreading *s)
{
    ergi_press *press = s->press;
    size_t      count = 0;
    for (size_t k = s->foot->begin; k < s->foot->end; k++) {
        ergi_pressed *p = &press->column[k];
        for (int n = 0; n < NEIGHBOURS && p->distance == 0; n++)
            if (is_ring(s, p->i + step_x[n], p->j + step_y[n])) p->distance = 1;
        if (p->distance) press->queue[count++] = (uint32_t)k;
    }
    for (size_t at = 0; at < count; at++) {
        const ergi_pressed *p = &press->column[press->queue[at]];
        for (int n = 0; n < NEIGHBOURS; n++) {
            uint32_t next = *number_at(s, p->i + step_x[n], p->j + step_y[n]);
            if (!next || press->column[next - 1].distance) continue;
            press->column[next - 1].distance = p->distance + 1;
            press->queue[count++] = next - 1;
        }
    }
    return count;
}

// ---- Pressing ----------------------------------------------------------------------------------
static void set_height(spreading *s, size_t row, uint64_t height)
{
    ergi_columns *c = s->c;
    uint64_t     *h = &ergi_columns_height(c)[row];
    float        *surface = &ergi_columns_surface(c)[row], now = (float)ergi_columns_z(c, height);
    double        change = fabs((double)height - (double)*h) * c->quantum;
    if (s->follow == ERGI_FOLLOWS || (s->follow == ERGI_FOLLOWS_DOWN && now < *surface))
        *surface = now;
    *h = height;
    ergi_columns_mark(c, row, true);
    s->report->largest = fmax(s->report->largest, change);
    s->press->top = fmax(s->press->top, (double)now);
}

static uint64_t target(const ergi_columns *c, double z)
{
    double quanta = floor((z - c->floor) / c->quantum);
    return quanta > 0
               ? quanta < (double)ERGI_COLUMN_HIGHEST ? (uint64_t)quanta : ERGI_COLUMN_HIGHEST
               : 0;
}

static void press_down(spreading *s, ergi_pressed *p, double share)
{
    size_t   row = ergi_columns_row(s->c, p->i, p->j);
    uint64_t height = ergi_columns_height(s->c)[row], to = target(s->c, p->low);
    if (height <= to) return;
    uint64_t moved = height - to, kept = moved;
    if (share < 1) kept = (uint64_t)((double)moved * share);
    if (kept > moved) kept = moved;
    s->report->compressed += moved - kept;
    p->sand += kept;
    set_height(s, row, to);
}

// Neighbours that take the sand of a column: those nearer to the ring, or in it; bits of a mask.
static unsigned receivers(const spreading *s, const ergi_pressed *p)
{
    unsigned all = 0, bare = 0;
    for (int n = 0; n < NEIGHBOURS; n++) {
        int32_t i = p->i + step_x[n], j = p->j + step_y[n];
        if (p->distance > 1) {
            uint32_t next = *number_at(s, i, j);
            if (next && s->press->column[next - 1].distance < p->distance) all |= 1u << n;
        } else if (is_ring(s, i, j)) {
            all |= 1u << n;
            if (!ergi_column_set_has(s->covered, ergi_columns_row(s->c, i, j))) bare |= 1u << n;
        }
    }
    return bare ? bare : all;
}

// Those of them that are ahead of a tool that moves sideways; all if there are none.
static unsigned ahead(const spreading *s, const ergi_pressed *p, unsigned all)
{
    erg_vec3 at = {ergi_columns_centre(s->c, 0, p->i), ergi_columns_centre(s->c, 1, p->j), p->low};
    erg_vec3 v = ergi_wall_velocity(s->wall, s->pose, at);
    if (!(v.x * v.x + v.y * v.y > v.z * v.z)) return all;
    unsigned some = 0;
    double   speed = sqrt(v.x * v.x + v.y * v.y);
    for (int n = 0; n < NEIGHBOURS; n++)
        if (all >> n & 1 && v.x * step_x[n] + v.y * step_y[n] > 1e-6 * speed) some |= 1u << n;
    return some ? some : all;
}

static void pass_on(spreading *s, ergi_pressed *p)
{
    if (p->sand == 0) return;
    unsigned to = ahead(s, p, receivers(s, p));
    uint64_t count = (uint64_t)__builtin_popcount(to), part = p->sand / count;
    uint64_t rest = p->sand - part * count;
    for (int n = 0; n < NEIGHBOURS; n++) {
        if (!(to >> n & 1)) continue;
        int32_t  i = p->i + step_x[n], j = p->j + step_y[n];
        uint64_t gets = part + rest;
        rest = 0;
        if (gets == 0) continue;
        if (p->distance > 1) {
            s->press->column[*number_at(s, i, j) - 1].sand += gets;
        } else {
            size_t row = ergi_columns_row(s->c, i, j);
            set_height(s, row, ergi_columns_height(s->c)[row] + gets);
        }
    }
    p->sand = 0;
}

static bool needs_pressing(const ergi_press *press, const ergi_columns *c,
                           const ergi_footprint *foot)
{
    for (size_t k = foot->begin; k < foot->end; k++) {
        const ergi_pressed *p = &press->column[k];
        if (ergi_columns_height(c)[ergi_columns_row(c, p->i, p->j)] > target(c, p->low))
            return true;
    }
    return false;
}

static erg_status press_tool(spreading *s, double share, erg_error *err)
{
    ergi_press *press = s->press;
    if (!needs_pressing(press, s->c, s->foot)) return ERG_OK;
    erg_status status = number_columns(s, err);
    if (status != ERG_OK) return status;
    size_t count = find_distances(s);
    for (size_t k = 0; k < count; k++) press_down(s, &press->column[press->queue[k]], share);
    for (size_t k = count; k > 0; k--) pass_on(s, &press->column[press->queue[k - 1]]);
    return ERG_OK;
}

erg_status ergi_press_columns(ergi_press *press, ergi_columns *c, const ergi_tools *tools,
                              const erg_world *world, const ergi_column_set *covered, double share,
                              ergi_follow follow, ergi_press_report *report, erg_error *err)
{
    *report = (ergi_press_report){0};
    press->columns = 0;
    press->hash = 0;
    ergi_column_set_clear(&press->held);
    erg_status status = ergi_memory_grow(&press->foot, &press->foot_room, tools->tools,
                                         sizeof *press->foot, "bodies in sand", err);
    for (size_t k = 0; k < tools->tools && status == ERG_OK; k++)
        status = find_columns(press, c, &tools->tool[k], world, &press->foot[k], err);
    for (size_t k = 0; k < tools->tools && status == ERG_OK; k++) {
        uint32_t  w = tools->tool[k].wall;
        spreading s = {.press = press,
                       .c = c,
                       .foot = &press->foot[k],
                       .covered = covered,
                       .wall = &world->wall[w].wall,
                       .pose = &world->wall_state[w].pose,
                       .follow = follow,
                       .report = report};
        status = press_tool(&s, share, err);
    }
    return status;
}
