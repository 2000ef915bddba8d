// Contact of a block of fine particles with the walls near it (block_walls.h), sixteen particles at
// a time; compiled once per instruction set, like fine_kernel.h.
#ifndef ERGI_WALL_KERNEL_H
#define ERGI_WALL_KERNEL_H

#include "upsample/block_walls.h"
#include "upsample/fine_block.h"
#include "upsample/wide.h"

enum { WALL_ROUNDS = 3 };

// ---- Bounds of paths ---------------------------------------------------------------------------
static void path_box(const ergi_wall_job *job, size_t begin, size_t end, bool starts,
                     ergi_path_box *box)
{
    for (int a = 0; a < 3; a++) {
        const uint32_t *place = job->fine.place[a];
        const float    *velocity = job->fine.velocity[a];
        float           scale = job->scale[a], most = job->most[a];
        uint32_t        base = place[begin];
        int32_t         low = 0, high = 0, from_low = INT32_MAX, from_high = INT32_MIN;
        for (size_t i = begin; i < end; i++) {
            int32_t to = (int32_t)(place[i] - base);
            low = to < low ? to : low;
            high = to > high ? to : high;
        }
        for (size_t i = begin; starts && i < end; i++) {
            int32_t way = ergi_fine_displacement(velocity[i], scale, most);
            int32_t from = (int32_t)(place[i] - base - (uint32_t)way);
            from_low = from < from_low ? from : from_low;
            from_high = from > from_high ? from : from_high;
        }
        box->base[a] = base;
        box->end_low[a] = low;
        box->end_high[a] = high;
        box->start_low[a] = starts ? from_low : low;
        box->start_high[a] = starts ? from_high : high;
    }
}

// ---- Distances ---------------------------------------------------------------------------------
typedef struct packet {
    ergi_wide x[3], v[3]; // from the block's centre [m], [m/s]
    uint32_t  moved;      // one bit per lane
} packet;

typedef struct wall_gap {
    ergi_wide gap, normal[3];
} wall_gap;

ERG_FN ergi_wide dot2(ergi_wide r, ergi_wide z, const float by[2])
{
    return ergi_wide_fma(r, ergi_wide_all(by[0]), ergi_wide_mul(z, ergi_wide_all(by[1])));
}

ERG_FN ergi_wide dot3(const ergi_wide x[3], const float by[3])
{
    return ergi_wide_fma(x[2], ergi_wide_all(by[2]), dot2(x[0], x[1], by));
}

ERG_FN ergi_wide norm2(ergi_wide r, ergi_wide z)
{
    return ergi_wide_fma(r, r, ergi_wide_mul(z, z));
}

typedef struct nearest {
    ergi_wide square, r, z; // squared distance; vector from the nearest point of the profile
    ergi_wide out_r, out_z; // outward normal there, of any length
} nearest;

// As ergi_piece_nearest and ergi_piece_outward.
ERG_FN nearest piece_nearest(const ergi_block_piece *piece, ergi_wide r, ergi_wide z)
{
    ergi_wide zero = ergi_wide_all(0), tiny = ergi_wide_all(1e-30f);
    ergi_wide ar = ergi_wide_sub(r, ergi_wide_all(piece->a[0])),
              az = ergi_wide_sub(z, ergi_wide_all(piece->a[1])),
              br = ergi_wide_sub(r, ergi_wide_all(piece->b[0])),
              bz = ergi_wide_sub(z, ergi_wide_all(piece->b[1]));
    ergi_wide along = dot2(ar, az, piece->along_a), beyond = dot2(br, bz, piece->along_b);
    uint32_t  before = ergi_wide_below(along, zero), after = ergi_wide_at_most(zero, beyond);
    nearest   n;
    if (piece->radius > 0) {
        uint32_t first = ergi_wide_below(norm2(ar, az), norm2(br, bz));
        before &= first | ~after;
        ergi_wide cr = ergi_wide_sub(r, ergi_wide_all(piece->centre[0])),
                  cz = ergi_wide_sub(z, ergi_wide_all(piece->centre[1]));
        ergi_wide length = ergi_wide_max(ergi_wide_sqrt(norm2(cr, cz)), tiny);
        ergi_wide share =
            ergi_wide_div(ergi_wide_sub(length, ergi_wide_all(piece->radius)), length);
        n.r = ergi_wide_mul(cr, share);
        n.z = ergi_wide_mul(cz, share);
        n.out_r = ergi_wide_mul(cr, ergi_wide_all(piece->bulge));
        n.out_z = ergi_wide_mul(cz, ergi_wide_all(piece->bulge));
    } else {
        n.r = ergi_wide_sub(ar, ergi_wide_mul(along, ergi_wide_all(piece->along_a[0])));
        n.z = ergi_wide_sub(az, ergi_wide_mul(along, ergi_wide_all(piece->along_a[1])));
        n.out_r = ergi_wide_all(piece->along_a[1]);
        n.out_z = ergi_wide_all(-piece->along_a[0]);
    }
    if (after) {
        n.r = ergi_wide_choose(after, br, n.r);
        n.z = ergi_wide_choose(after, bz, n.z);
        n.out_r = ergi_wide_choose(after, ergi_wide_all(piece->out_b[0]), n.out_r);
        n.out_z = ergi_wide_choose(after, ergi_wide_all(piece->out_b[1]), n.out_z);
    }
    if (before) {
        n.r = ergi_wide_choose(before, ar, n.r);
        n.z = ergi_wide_choose(before, az, n.z);
        n.out_r = ergi_wide_choose(before, ergi_wide_all(piece->out_a[0]), n.out_r);
        n.out_z = ergi_wide_choose(before, ergi_wide_all(piece->out_a[1]), n.out_z);
    }
    n.square = norm2(n.r, n.z);
    return n;
}

ERG_FN nearest profile_nearest(const ergi_block_wall *wall, ergi_wide r, ergi_wide z)
{
    nearest best = piece_nearest(&wall->piece[0], r, z);
    for (int k = 1; k < wall->pieces; k++) {
        nearest  other = piece_nearest(&wall->piece[k], r, z);
        uint32_t nearer = ergi_wide_below(other.square, best.square);
        if (!nearer) continue;
        best.square = ergi_wide_choose(nearer, other.square, best.square);
        best.r = ergi_wide_choose(nearer, other.r, best.r);
        best.z = ergi_wide_choose(nearer, other.z, best.z);
        best.out_r = ergi_wide_choose(nearer, other.out_r, best.out_r);
        best.out_z = ergi_wide_choose(nearer, other.out_z, best.out_z);
    }
    return best;
}

// The inside of a surface of revolution. Distances r from the axis are relative to that of the
// block's centre, in a form that cancels no digits.
ERG_FN wall_gap revolved_gap(const ergi_block_wall *wall, const ergi_wide x[3])
{
    ergi_wide tiny = ergi_wide_all(1e-30f), zero = ergi_wide_all(0), one = ergi_wide_all(1);
    ergi_wide z = dot3(x, wall->axis), across[3], more = zero, square = zero;
    for (int a = 0; a < 3; a++) {
        ergi_wide p = ergi_wide_sub(x[a], ergi_wide_mul(z, ergi_wide_all(wall->axis[a]))),
                  c = ergi_wide_all(wall->across[a]);
        across[a] = ergi_wide_add(c, p);
        more = ergi_wide_fma(p, ergi_wide_add(ergi_wide_add(c, c), p), more);
        square = ergi_wide_fma(across[a], across[a], square);
    }
    ergi_wide radius = ergi_wide_sqrt(square);
    ergi_wide r =
        ergi_wide_div(more, ergi_wide_max(ergi_wide_add(radius, ergi_wide_all(wall->r)), tiny));
    nearest   n = profile_nearest(wall, r, z);
    ergi_wide distance = ergi_wide_sqrt(n.square);
    ergi_wide outward = ergi_wide_fma(n.r, n.out_r, ergi_wide_mul(n.z, n.out_z));
    uint32_t  past = ergi_wide_below(zero, outward);
    // On the surface itself the vector from the nearest point has no direction.
    uint32_t on = ergi_wide_at_most(distance, tiny);
    if (on) {
        n.r = ergi_wide_choose(on, n.out_r, n.r);
        n.z = ergi_wide_choose(on, n.out_z, n.z);
        past |= on;
    }
    ergi_wide length = on ? ergi_wide_sqrt(norm2(n.r, n.z)) : distance;
    ergi_wide sign = ergi_wide_choose(past, ergi_wide_all(-1), one);
    ergi_wide scale = ergi_wide_div(sign, ergi_wide_max(length, tiny));
    ergi_wide nr = ergi_wide_div(ergi_wide_mul(n.r, scale), ergi_wide_max(radius, tiny)),
              nz = ergi_wide_mul(n.z, scale);
    wall_gap g = {.gap = ergi_wide_mul(sign, distance)};
    for (int a = 0; a < 3; a++)
        g.normal[a] = ergi_wide_fma(across[a], nr, ergi_wide_mul(nz, ergi_wide_all(wall->axis[a])));
    return g;
}

ERG_FN wall_gap plane_gap(const ergi_block_wall *wall, const ergi_wide x[3])
{
    wall_gap g = {.gap = ergi_wide_add(dot3(x, wall->normal), ergi_wide_all(wall->offset))};
    for (int a = 0; a < 3; a++) g.normal[a] = ergi_wide_all(wall->normal[a]);
    return g;
}

// ---- Contact -----------------------------------------------------------------------------------
// Velocity after contact: without the component into the wall, and with Coulomb friction along it.
ERG_FN void slide_packet(const ergi_wall_job *job, const ergi_block_wall *wall, const wall_gap *g,
                         uint32_t touches, packet *p)
{
    ergi_wide zero = ergi_wide_all(0), tiny = ergi_wide_all(1e-30f);
    ergi_wide own[3], relative[3], into = zero, square = zero;
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        own[a] = ergi_wide_sub(ergi_wide_mul(ergi_wide_all(wall->spin[b]), p->x[c]),
                               ergi_wide_mul(ergi_wide_all(wall->spin[c]), p->x[b]));
        own[a] = ergi_wide_add(own[a], ergi_wide_all(wall->velocity[a]));
        relative[a] = ergi_wide_sub(p->v[a], own[a]);
        into = ergi_wide_fma(relative[a], g->normal[a], into);
    }
    touches &= ergi_wide_below(into, zero);
    if (!touches) return;
    for (int a = 0; a < 3; a++) {
        relative[a] = ergi_wide_sub(relative[a], ergi_wide_mul(into, g->normal[a]));
        square = ergi_wide_fma(relative[a], relative[a], square);
    }
    ergi_wide speed = ergi_wide_sqrt(square);
    ergi_wide left =
        ergi_wide_add(speed, ergi_wide_mul(ergi_wide_all(job->friction), into)); // into < 0
    left = ergi_wide_div(ergi_wide_max(left, zero), ergi_wide_max(speed, tiny));
    for (int a = 0; a < 3; a++)
        p->v[a] = ergi_wide_choose(touches, ergi_wide_fma(left, relative[a], own[a]), p->v[a]);
}

// Particles nearer than `near` to the wall are moved out to `keep`. `travel`: see ergi_wall_job.
ERG_FN uint32_t touch_wall(const ergi_wall_job *job, const ergi_block_wall *wall, float near,
                           packet *p, ergi_wide *travel)
{
    wall_gap g = wall->pieces ? revolved_gap(wall, p->x) : plane_gap(wall, p->x);
    if (wall->sets_travel) {
        ergi_wide most =
            ergi_wide_sub(ergi_wide_mul(g.gap, ergi_wide_all(0.999f)), ergi_wide_all(near));
        *travel = ergi_wide_choose(ergi_wide_below(most, *travel), most, *travel);
    }
    uint32_t touches = ergi_wide_below(g.gap, ergi_wide_all(near));
    if (!touches) return 0;
    ergi_wide push = ergi_wide_sub(ergi_wide_all(job->keep), g.gap);
    for (int a = 0; a < 3; a++)
        p->x[a] = ergi_wide_choose(touches, ergi_wide_fma(push, g.normal[a], p->x[a]), p->x[a]);
    slide_packet(job, wall, &g, touches, p);
    p->moved |= touches;
    return touches;
}

static void store_packet(const ergi_wall_job *job, size_t at, int count, const packet *p,
                         const ergi_wide before[3])
{
    for (int a = 0; a < 3; a++) {
        float way[ERGI_WIDE], v[ERGI_WIDE], per = 1 / job->step[a];
        ergi_wide_store(way, ergi_wide_sub(p->x[a], before[a]));
        ergi_wide_store(v, p->v[a]);
        uint32_t *place = job->fine.place[a] + at;
        float    *velocity = job->fine.velocity[a] + at;
        for (int k = 0; k < count; k++) {
            bool moved = p->moved >> k & 1;
            place[k] += moved ? (uint32_t)ergi_fine_displacement(way[k], per, 0x1p29f) : 0;
            velocity[k] = moved ? v[k] : velocity[k];
        }
    }
    for (int k = 0; k < count; k++)
        if (p->moved >> k & 1) job->travel[at + (size_t)k] = -1;
}

static void move_packet(const ergi_wall_job *job, const ergi_block_walls *walls,
                        const uint32_t centre[3], float near, size_t at, int count)
{
    packet    p = {.moved = 0};
    ergi_wide before[3], travel = ergi_wide_all(INFINITY);
    bool      limits = false;
    uint32_t  all = count < ERGI_WIDE ? (1u << count) - 1 : 0xffffu;
    for (int a = 0; a < 3; a++) {
        uint32_t place[ERGI_WIDE] = {0};
        float    v[ERGI_WIDE] = {0};
        if (count < ERGI_WIDE) { // pad with copies of the block's centre
            for (int k = 0; k < ERGI_WIDE; k++) place[k] = centre[a];
            memcpy(place, job->fine.place[a] + at, (size_t)count * sizeof *place);
            memcpy(v, job->fine.velocity[a] + at, (size_t)count * sizeof *v);
        }
        const uint32_t *x = count < ERGI_WIDE ? place : job->fine.place[a] + at;
        before[a] = p.x[a] = ergi_wide_from(x, centre[a], job->step[a]);
        p.v[a] = ergi_wide_load(count < ERGI_WIDE ? v : job->fine.velocity[a] + at);
    }
    for (int w = 0; w < walls->count; w++) limits |= walls->wall[w].sets_travel;
    uint32_t touches = 1;
    for (int round = 0; round < WALL_ROUNDS && touches; round++) {
        touches = 0;
        for (int w = 0; w < walls->count; w++)
            touches |= touch_wall(job, &walls->wall[w], near, &p, &travel) & all;
    }
    p.moved &= all;
    if (limits) {
        float most[ERGI_WIDE];
        ergi_wide_store(most, travel);
        for (int k = 0; k < count; k++) {
            float *t = &job->travel[at + (size_t)k];
            *t = most[k] < *t ? most[k] : *t;
        }
    }
    if (p.moved) store_packet(job, at, count, &p, before);
}

static void move_out(const ergi_wall_job *job, const ergi_block_walls *walls,
                     const uint32_t centre[3], size_t begin, size_t end)
{
    float near = ERGI_FINE_CONTACT * job->keep;
    for (size_t at = begin; at < end; at += ERGI_WIDE)
        move_packet(job, walls, centre, near, at,
                    end - at < ERGI_WIDE ? (int)(end - at) : (int)ERGI_WIDE);
}

#endif
