// Groups of contacts of bodies, and sweeps over them.
//
// The contacts are solved one after the other (Gauss-Seidel), eight at a time that share no body.
// In every round one contact of each pair has its turn, those of the highest bodies first
// (body_loads.c). All contacts of the highest body first, then those of the next one, would need
// two to three times as many groups, and stacks would sway for longer.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "pbd/pbd.h"
#include "world/body_axes.h"

#define DUST 1e-16f // [m], [rad]

// ---- Order -------------------------------------------------------------------------------------
static uint32_t height_of(const ergi_pbd *pbd, const ergi_pbd_body_contact *c)
{
    uint32_t a = ergi_pbd_body_level(pbd, c->own), b = ergi_pbd_body_level(pbd, c->other);
    return a > b ? a : b;
}

static int downwards(const void *a, const void *b)
{
    const ergi_pbd_body_turn *p = a, *q = b;
    if (p->round != q->round) return p->round < q->round ? -1 : 1;
    if (p->height != q->height) return p->height > q->height ? -1 : 1;
    return p->contact < q->contact ? -1 : 1;
}

static erg_status order_contacts(erg_world *world, erg_error *err)
{
    ergi_pbd  *pbd = ergi_pbd_of(world);
    size_t     n = pbd->body_contacts;
    erg_status status = ergi_memory_grow(&pbd->body_turn, &pbd->body_turn_room, n + 1,
                                         sizeof *pbd->body_turn, "contacts of bodies", err);
    if (status != ERG_OK) return status;
    for (size_t k = 0; k < n; k++) {
        const ergi_pbd_body_contact *c = &pbd->body_contact[k];
        bool                         same = k > 0 && c->own == c[-1].own && c->other == c[-1].other;
        uint32_t                     round = same ? pbd->body_turn[k - 1].round + 1 : 0;
        pbd->body_turn[k] = (ergi_pbd_body_turn){round, height_of(pbd, c), (uint32_t)k};
    }
    if (n) qsort(pbd->body_turn, n, sizeof *pbd->body_turn, downwards);
    return ERG_OK;
}

// ---- Rows --------------------------------------------------------------------------------------
// After the rows of wall contacts: one per free body, two for padding lanes, one per contact for
// what is not free.
static uint32_t body_row(const ergi_pbd *pbd, size_t number)
{
    return (uint32_t)(pbd->rows + number);
}

static uint32_t row_of(const ergi_pbd *pbd, uint32_t w, size_t contact)
{
    uint32_t number = pbd->body_of[w];
    if (number != UINT32_MAX) return body_row(pbd, number);
    return (uint32_t)(pbd->rows + pbd->bodies + 2 + contact);
}

static erg_status make_rows(erg_world *world, erg_error *err)
{
    ergi_pbd  *pbd = ergi_pbd_of(world);
    size_t     kept = pbd->rows, rows = kept + pbd->bodies + 2 + pbd->body_contacts;
    erg_status status = ergi_memory_renew(&pbd->row, &pbd->row_room, ERGI_PBD_ROW * kept,
                                          ERGI_PBD_ROW * rows, sizeof *pbd->row, "motion", err);
    if (status == ERG_OK)
        status = ergi_memory_renew(&pbd->shift, &pbd->shift_room, 4 * kept, 4 * rows,
                                   sizeof *pbd->shift, "motion", err);
    if (status == ERG_OK)
        status = ergi_memory_renew(&pbd->tensor, &pbd->tensor_room, 8 * kept, 8 * rows,
                                   sizeof *pbd->tensor, "motion", err);
    return status;
}

static float *clear_row(const ergi_pbd *pbd, uint32_t row)
{
    float *to = pbd->row + ERGI_PBD_ROW * (size_t)row;
    memset(to, 0, ERGI_PBD_ROW * sizeof *to);
    memset(pbd->shift + 4 * (size_t)row, 0, 4 * sizeof *to);
    memset(pbd->tensor + 8 * (size_t)row, 0, 8 * sizeof *to);
    return to;
}

// Prescribed motion of a wall at the contact.
static void set_wall_row(const erg_world *world, const ergi_pbd_body_contact *c, uint32_t row,
                         double dt)
{
    float *to = clear_row(ergi_pbd_of(world), row);
    if (!ergi_wall_moves(&world->wall[c->other])) return;
    const ergi_pose *pose = &world->wall_state[c->other].pose;
    erg_vec3         point = ergi_madd(c->at, c->overlap - c->radius, c->normal);
    erg_vec3     way = ergi_scale(ergi_wall_velocity(&world->wall[c->other].wall, pose, point), dt);
    const double six[6] = {
        way.x, way.y, way.z, dt * pose->spin.x, dt * pose->spin.y, dt * pose->spin.z};
    for (int k = 0; k < 3; k++) {
        to[ERGI_PBD_MOVE + k] = (float)six[k];
        to[ERGI_PBD_TURN + k] = (float)six[3 + k];
    }
}

// ---- Groups ------------------------------------------------------------------------------------
static void add_lane(const erg_world *world, uint32_t group, uint32_t n, double dt)
{
    const ergi_pbd        *pbd = ergi_pbd_of(world);
    ergi_pbd_body_contact *c = &pbd->body_contact[n];
    ergi_pbd_group        *g = &pbd->body_group[group];
    uint32_t               l = g->count++;
    erg_vec3 point = ergi_madd(c->at, c->overlap - c->radius, c->normal), b = ergi_vec3(0, 0, 0);
    erg_vec3 a = ergi_sub(c->at, ergi_pbd_body_centre(world, c->own));
    if (pbd->body_of[c->other] != UINT32_MAX)
        b = ergi_sub(point, ergi_pbd_body_centre(world, c->other));
    const double normal[3] = {c->normal.x, c->normal.y, c->normal.z}, arm_a[3] = {a.x, a.y, a.z},
                 arm_b[3] = {b.x, b.y, b.z};
    c->lane = group * ERGI_PBD_LANES + l;
    g->a[l] = row_of(pbd, c->own, n);
    g->b[l] = row_of(pbd, c->other, n);
    if (pbd->body_of[c->other] == UINT32_MAX) set_wall_row(world, c, g->b[l], dt);
    g->entry[l] = n;
    g->law[l] =
        world->wall[c->own].material * (uint32_t)world->materials + world->wall[c->other].material;
    g->gap[l] = (float)c->overlap;
    g->ra[l] = g->rolling_radius[l] = (float)c->radius;
    g->rb[l] = g->approach[l] = g->pull[l] = 0;
    g->p[l] = c->history[ERGI_PBD_P];
    for (int k = 0; k < 3; k++) {
        g->x[k][l] = (float)normal[k];
        g->pt[k][l] = c->history[ERGI_PBD_PT + k];
        g->q[k][l] = c->history[ERGI_PBD_Q + k];
        g->arm_a[k][l] = (float)arm_a[k];
        g->arm_b[k][l] = (float)arm_b[k];
    }
}

// A group in which all lanes are padding.
static void clear_group(const ergi_pbd *pbd, ergi_pbd_group *g)
{
    memset(g, 0, sizeof *g);
    for (uint32_t l = 0; l < ERGI_PBD_LANES; l++) {
        g->a[l] = body_row(pbd, pbd->bodies);
        g->b[l] = body_row(pbd, pbd->bodies + 1);
        g->gap[l] = -1e9f;
        g->ra[l] = g->rolling_radius[l] = g->x[2][l] = 1;
    }
}

// First group from `from` on that has a free lane. `next`: of a full group, a later one.
static uint32_t first_open(const ergi_pbd *pbd, uint32_t from)
{
    while (pbd->body_next[from] != from) {
        pbd->body_next[from] = pbd->body_next[pbd->body_next[from]];
        from = pbd->body_next[from];
    }
    return from;
}

// Puts each contact into the first group after the groups of earlier contacts of its bodies.
static void fill_groups(erg_world *world, double dt)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    uint32_t  groups = 0;
    for (size_t k = 0; k < pbd->bodies; k++) pbd->body[k].next_group = 0;
    pbd->body_next[0] = 0;
    for (size_t k = 0; k < pbd->body_contacts; k++) {
        uint32_t                     n = pbd->body_turn[k].contact;
        const ergi_pbd_body_contact *c = &pbd->body_contact[n];
        ergi_pbd_body               *own = &pbd->body[pbd->body_of[c->own]], *other = NULL;
        if (pbd->body_of[c->other] != UINT32_MAX) other = &pbd->body[pbd->body_of[c->other]];
        uint32_t first = own->next_group;
        if (other && other->next_group > first) first = other->next_group;
        uint32_t group = first_open(pbd, first);
        if (group == groups) {
            clear_group(pbd, &pbd->body_group[groups++]);
            pbd->body_next[groups] = groups;
        }
        add_lane(world, group, n, dt);
        if (pbd->body_group[group].count == ERGI_PBD_LANES) pbd->body_next[group] = group + 1;
        own->next_group = group + 1;
        if (other) other->next_group = group + 1;
    }
    pbd->body_task = (ergi_pbd_task){.walls = true, .groups = groups};
}

erg_status ergi_pbd_body_group(erg_world *world, double dt, erg_error *err)
{
    ergi_pbd  *pbd = ergi_pbd_of(world);
    size_t     n = pbd->body_contacts;
    erg_status status = ergi_memory_grow(&pbd->body_group, &pbd->body_group_room, n + 1,
                                         sizeof *pbd->body_group, "contacts of bodies", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&pbd->body_next, &pbd->body_next_room, n + 1,
                                  sizeof *pbd->body_next, "contacts of bodies", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&pbd->body_history, &pbd->body_history_room,
                                  ERGI_PBD_HISTORY * (n + 1), sizeof *pbd->body_history,
                                  "contacts of bodies", err);
    if (status == ERG_OK) status = make_rows(world, err);
    if (status != ERG_OK) return status;
    uint32_t padding = body_row(pbd, pbd->bodies);
    float   *row = clear_row(pbd, padding);
    row[ERGI_PBD_W] = row[ERGI_PBD_IW] = pbd->shift[4 * (size_t)padding + 3] = 1;
    for (int d = 0; d < 3; d++) pbd->tensor[8 * (size_t)padding + (size_t)d] = 1;
    (void)clear_row(pbd, padding + 1);
    status = order_contacts(world, err);
    if (status == ERG_OK) fill_groups(world, dt);
    return status;
}

// ---- Sweeps ------------------------------------------------------------------------------------
static void put_rows(ergi_pbd *pbd)
{
    for (size_t k = 0; k < pbd->bodies; k++) {
        const ergi_pbd_body *body = &pbd->body[k];
        size_t               row = body_row(pbd, k);
        memcpy(pbd->row + ERGI_PBD_ROW * row, body->row, sizeof body->row);
        memcpy(pbd->shift + 4 * row, body->shift, sizeof body->shift);
        memcpy(pbd->tensor + 8 * row, body->tensor, sizeof body->tensor);
    }
}

// Numbers below are zero in effect, but their squares would be denormal, which is slow.
static float without_dust(float x)
{
    return fabsf(x) < DUST ? 0 : x;
}

// Takes the motion in free axes; in driven axes it is prescribed. Returns by how far the sweep has
// moved the point that it moved farthest. [m]
static double take_rows(erg_world *world)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    double    most = 0;
    for (size_t k = 0; k < pbd->bodies; k++) {
        ergi_pbd_body *body = &pbd->body[k];
        const float   *row = pbd->row + ERGI_PBD_ROW * (size_t)body_row(pbd, k),
                    *shift = pbd->shift + 4 * (size_t)body_row(pbd, k);
        const ergi_body *r = &world->wall[body->wall].body;
        double           moved = 0, turned = 0;
        for (int n = 0; n < 3; n++) {
            float *move = &body->row[ERGI_PBD_MOVE + n], *turn = &body->row[ERGI_PBD_TURN + n];
            if (r->free_axes & (uint32_t)ERG_AXIS_X << n) {
                moved += fabs((double)(row[ERGI_PBD_MOVE + n] - *move));
                *move = without_dust(row[ERGI_PBD_MOVE + n]);
                body->shift[n] = without_dust(shift[n]);
            }
            if (r->free_axes & (uint32_t)ERG_AXIS_RX << n) {
                turned += fabs((double)(row[ERGI_PBD_TURN + n] - *turn));
                *turn = without_dust(row[ERGI_PBD_TURN + n]);
            }
        }
        most = fmax(most, moved + r->reach * turned);
    }
    return most;
}

static bool some_axis_driven(const erg_world *world)
{
    const ergi_pbd *pbd = ergi_pbd_of(world);
    for (size_t k = 0; k < pbd->bodies; k++)
        if (ergi_body_partly_free(&world->wall[pbd->body[k].wall].body)) return true;
    return false;
}

double ergi_pbd_body_sweep(erg_world *world, const ergi_pbd_pass *pass, ergi_pbd_sweep sweep)
{
    ergi_pbd     *pbd = ergi_pbd_of(world);
    ergi_pbd_pass own = *pass;
    own.group = pbd->body_group;
    own.wall_history = pbd->body_history;
    if (!some_axis_driven(world)) {
        put_rows(pbd);
        pbd->kernels->sweep(&own, &pbd->body_task, sweep);
        return take_rows(world);
    }
    // Driven axes are reset after every group, so that no contact feels them yield to another one.
    ergi_pbd_task one = pbd->body_task;
    double        most = 0;
    one.groups = 1;
    for (one.group = 0; one.group < pbd->body_task.groups; one.group++) {
        put_rows(pbd);
        pbd->kernels->sweep(&own, &one, sweep);
        most = fmax(most, take_rows(world));
    }
    return most;
}
