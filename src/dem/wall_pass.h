// Contacts with walls: the same laws, with a partner of infinite mass unless it is a free body.
// Included by real_kernels.h only.
//
// A sphere may touch several features of a wall at once (a corner has three faces); each has its
// own slot for contact history. A spring persists while the wall's normal rotates little from one
// step to the next; a feature that is no longer touched loses its slot.
#ifndef ERGI_WALL_PASS_H
#define ERGI_WALL_PASS_H

#include "dem/wall_contacts.h"
#include "dem/wall_view.h"

#define NORMAL_TURN 0.1 // springs persist while n_before . n_now > 1 - this

// ---- Entries -----------------------------------------------------------------------------------
// Slot of a feature: its present one, or a free one (`fresh`), or -1 if all are in use. Without a
// slot the contact still acts, but has no history.
static int find_slot(const uint32_t *feature, int slots, uint32_t wanted, bool *fresh)
{
    *fresh = false;
    for (int k = 0; k < slots; k++)
        if (feature[k] == wanted) return k;
    *fresh = true;
    for (int k = 0; k < slots; k++)
        if (feature[k] == ERGI_NO_FEATURE) return k;
    return -1;
}

static bool has_slot(const uint32_t *feature, int slots, uint32_t wanted)
{
    for (int k = 0; k < slots; k++)
        if (feature[k] == wanted) return true;
    return false;
}

// A contact that moves from one feature to the next, as over the edge of a face, continues there.
// Returns the hit feature without a slot whose normal is closest to that of this row, or
// ERGI_NO_FEATURE if none is close enough.
static uint32_t next_feature(const ergi_wall_pass *p, size_t row, const uint32_t *feature,
                             const ergi_wall_hit *hits, int found)
{
    const size_t    width = (size_t)p->history_width, stride = width + 3;
    const erg_real *history = (const erg_real *)p->history + row * stride;
    erg_real        nearest = ERGI_R(1 - NORMAL_TURN);
    uint32_t        next = ERGI_NO_FEATURE;
    for (int h = 0; h < found; h++) {
        erg_real along = ergi_vec_dot(load3(history + width), to_real(hits[h].normal));
        if (!(along > nearest) || has_slot(feature, p->slots, hits[h].feature)) continue;
        nearest = along;
        next = hits[h].feature;
    }
    return next;
}

// On a mesh the contact point jumps when another triangle becomes the nearest: rotates the stored
// springs to the new normal.
static void rotate_springs(const ergi_wall_pass *p, size_t row, const ergi_wall_hit *hit)
{
    const size_t width = (size_t)p->history_width, stride = width + 3;
    erg_real    *history = (erg_real *)p->history + row * stride;
    ergi_vec     before = load3(history + width), now = to_real(hit->normal);
    if (!(ergi_vec_dot(before, now) > ERGI_R(1 - NORMAL_TURN))) return;
    for (size_t c = 0; c < width; c += ERGI_SLIDING_WIDTH)
        store3(history + c, ergi_spring_rotate(load3(history + c), before, now));
    store3(history + width, now);
}

static const ergi_wall_hit *hit_of(const ergi_wall_hit *hits, int found, uint32_t feature)
{
    for (int h = 0; h < found; h++)
        if (hits[h].feature == feature) return &hits[h];
    return NULL;
}

// Frees the slots of features that are no longer touched.
ERG_FN void free_slots(const ergi_wall_pass *p, size_t entry, const ergi_wall_hit *hits, int found,
                       const bool mesh)
{
    const int stride = p->history_width + 3, slots = p->slots;
    uint32_t *feature = p->feature + entry * (size_t)slots;
    for (int k = 0; k < slots; k++) {
        if (feature[k] == ERGI_NO_FEATURE) continue;
        size_t row = entry * (size_t)slots + (size_t)k;
        if (!hit_of(hits, found, feature[k]))
            feature[k] = next_feature(p, row, feature, hits, found);
        if (feature[k] == ERGI_NO_FEATURE)
            for (int c = 0; c < stride; c++)
                ((erg_real *)p->history)[row * (size_t)stride + (size_t)c] = 0;
        else if (mesh)
            rotate_springs(p, row, hit_of(hits, found, feature[k]));
    }
}

static void note_wall_overlap(ergi_report *report, double overlap, double radius, uint32_t s,
                              uint32_t w)
{
    report->wall_contacts++;
    if (overlap <= report->overlap_ratio * radius) return;
    report->overlap_ratio = overlap / radius;
    report->overlap_a = s;
    report->overlap_b = w;
    report->overlap_wall = 1;
}

// Buffers of a pass over the wall contacts of a chunk.
typedef struct wall_work {
    wall_contact_rows t;
    wall_views        views;
} wall_work;

// Adds the contact of sphere s, at x, with feature h->feature of the wall of entry e. The contact
// point is in the middle of the overlap, as between spheres. `flat` equals view->flat, as a
// constant where this is inlined; a flat wall has only one feature and uses one slot.
ERG_FN void add_wall_contact(const ergi_wall_pass *p, uint32_t s, uint32_t e, const double *x,
                             wall_view *view, const ergi_wall_hit *h, const bool flat,
                             wall_work *work)
{
    const int          width = p->history_width, stride = width + 3, slots = p->slots;
    wall_contact_rows *t = &work->t;
    uint32_t          *feature = p->feature + e * (size_t)slots, w = view->wall;
    double             overlap = x[3] - h->gap, lever = x[3] - 0.5 * overlap, inverse_wall = 0;
    ergi_vec           velocity = view->velocity, n = to_real(h->normal);
    bool               uniform = flat && view->uniform, fresh;
    if (!uniform && (view->free || view->turns)) {
        erg_vec3 point = ergi_madd(ergi_vec3(x[0], x[1], x[2]), -lever, h->normal);
        if (view->free) inverse_wall = inverse_mass_at(p, w, point, h->normal);
        if (view->turns)
            velocity = to_real(ergi_wall_velocity(&p->walls[w].wall, &p->state[w].pose, point));
    }
    const known_coef *known = view_coef(p, view, s, x[3], h->curvature, inverse_wall);
    int               slot = find_slot(feature, flat ? 1 : slots, h->feature, &fresh);
    size_t            row = slot < 0 ? SIZE_MAX : e * (size_t)slots + (size_t)slot;
    if (t->count == WALL_CONTACTS) apply_wall_contacts(p, t);
    uint32_t k = t->count++;
    t->old_history[k] = NO_HISTORY;
    if (width && slot >= 0 && !fresh) {
        const erg_real *history = (const erg_real *)p->history + row * (size_t)stride;
        if (flat || ergi_vec_dot(load3(history + width), n) > ERGI_R(1 - NORMAL_TURN))
            t->old_history[k] = history;
    }
    if (slot >= 0 && !p->dry_run) feature[slot] = h->feature;
    t->sphere[k] = s;
    t->wall[k] = w;
    t->wall_sum[k] = view->wall_sum;
    t->slot[k] = row;
    t->overlap[k] = (erg_real)overlap;
    t->lever[k] = (erg_real)lever;
    t->rows[k] = uniform
                     ? known->rows
                     : wall_rows_of(n, known->rows.normal[3], velocity,
                                    ergi_row_load(known->rows.coef) * (erg_real)(1 - h->others));
    if (p->many_sizes) {
        t->scales[k] = known->scales;
        t->r_star[k] = known->r_star;
        t->inverse_mass[k] = (double)known->inverse_mass;
        t->share[k] = 1 - h->others;
    }
    if (p->usual) return;
    t->law[k] = known->law;
    t->law[k].cohesion *= (erg_real)(1 - h->others);
    t->wall_spin_x[k] = view->spin.x;
    t->wall_spin_y[k] = view->spin.y;
    t->wall_spin_z[k] = view->spin.z;
    t->radius[k] = (erg_real)known->r_star;
    t->part[k] = (erg_real)(1 - h->others);
}

// Adds the contacts of sphere s with the wall of entry e.
ERG_FN void wall_entry(const ergi_wall_pass *p, uint32_t s, uint32_t e, wall_work *work,
                       ergi_report *report)
{
    const double *x = p->s.position + 4 * (size_t)s;
    if ((double)p->spare[e] > p->state[p->wall_of[e]].sweep) return; // cannot touch yet
    wall_view *view = view_wall(p, &work->views, p->wall_of[e]);
    if (view->flat) { // specialised copy
        ergi_wall_hit hit = flat_hit(view, x);
        if (hit.gap < x[3]) {
            add_wall_contact(p, s, e, x, view, &hit, true, work);
            note_wall_overlap(report, x[3] - hit.gap, x[3], s, view->wall);
        } else if (!p->dry_run) {
            free_slots(p, e, NULL, 0, false);
        }
        return;
    }
    ergi_wall_hit hits[ERGI_WALL_MAX_HITS];
    int           found = wall_hits(p, view, e, x, hits);
    if (!p->dry_run) free_slots(p, e, hits, found, view->mesh);
    for (int h = 0; h < found; h++) {
        if (!(hits[h].gap < x[3])) continue;
        add_wall_contact(p, s, e, x, view, &hits[h], false, work);
        note_wall_overlap(report, x[3] - hits[h].gap, x[3], s, view->wall);
    }
}

// ---- The pass ----------------------------------------------------------------------------------
// The first row of the wall lists whose sphere is not before `sphere`.
static size_t first_near(const ergi_wall_pass *p, uint32_t sphere)
{
    size_t low = 0, high = p->near_count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (p->near_sphere[mid] < sphere)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static void wall_range(const ergi_wall_pass *p, erg_index begin, erg_index end, int chunk)
{
    ergi_report *report = &p->report[chunk];
    wall_work    work;
    report->wall_contacts = 0;
    size_t r = first_near(p, (uint32_t)begin);
    if (r == p->near_count || p->near_sphere[r] >= (uint32_t)end) return;
    work.t.count = 0;
    clear_views(&work.views);
    work.views.first_sum = p->sums->first[chunk];
    work.views.last_sum = p->sums->first[chunk + 1];
    for (size_t s = work.views.first_sum; s < work.views.last_sum; s++)
        for (size_t k = 0; k < ERGI_WALL_SUM; k++) p->sums->sum[ERGI_WALL_SUM * s + k] = 0;
    for (; r < p->near_count && p->near_sphere[r] < (uint32_t)end; r++)
        for (uint32_t e = p->near_start[r]; e < p->near_start[r + 1]; e++)
            wall_entry(p, p->near_sphere[r], e, &work, report);
    apply_wall_contacts(p, &work.t);
}

static void contacts_pass(void *ctx, erg_index begin, erg_index end, int chunk)
{
    const ergi_contact_pass *p = ctx;
    pair_chunk(&p->pairs, begin, end, chunk);
    wall_range(&p->walls, begin, end, chunk);
}

// ---- One contact, at the current state ---------------------------------------------------------
// The contact of an entry's slot; zero if its feature is no longer touched. dt is 0: springs do not
// stretch.
static ergi_contact_state wall_state(const ergi_wall_pass *p, uint32_t s, uint32_t e, int slot)
{
    ergi_wall_pass     pass = *p;
    wall_work          work;
    wall_contact_rows *t = &work.t;
    uint32_t           feature = p->feature[e * (size_t)p->slots + (size_t)slot];
    const double      *x = p->s.position + 4 * (size_t)s;
    ergi_contact_state state = {{0, 0, 0}, 0};
    ergi_wall_hit      hits[ERGI_WALL_MAX_HITS];
    pass.dry_run = true;
    pass.usual = false;
    pass.dt = 0;
    t->count = 0;
    clear_views(&work.views);
    wall_view *view = view_wall(&pass, &work.views, p->wall_of[e]);
    int        found = wall_hits(&pass, view, e, x, hits);
    for (int h = 0; h < found; h++) {
        if (hits[h].feature != feature || !(hits[h].gap < x[3])) continue;
        t->count = 0;
        add_wall_contact(&pass, s, e, x, view, &hits[h], view->flat, &work);
        evaluate_wall_contacts(&pass, t);
        state = (ergi_contact_state){
            {(double)t->force_x[0], (double)t->force_y[0], (double)t->force_z[0]},
            (double)wall_contact_energy(&pass, t, 0)};
    }
    return state;
}

#endif
