// What the passes are handed of a world, and the force evaluation that strings them together.
#include <math.h>

#include "base/clock.h"
#include "dem/spheres.h"
#include "dem/step.h"
#include "law/kinds.h"

static ergi_pair_side side_of(const ergi_pair_list *list)
{
    const ergi_table *e = &list->entry;
    return (ergi_pair_side){.start = list->span.data[ERGI_SPAN_START],
                            .owner = e->data[ERGI_ENTRY_OWNER],
                            .other = e->data[ERGI_ENTRY_OTHER],
                            .touching = e->data[ERGI_ENTRY_TOUCHING],
                            .history = e->data[ERGI_ENTRY_HISTORY],
                            .coef = e->data[ERGI_ENTRY_COEF]};
}

ergi_pair_pass ergi_pair_pass_of(const erg_world *world)
{
    const ergi_dem       *dem = ergi_dem_of(world);
    const ergi_pair_list *pairs = dem->lists.pairs;
    return (ergi_pair_pass){
        .s = ergi_dem_spheres(world),
        .side = {side_of(&pairs[ERGI_INNER]), side_of(&pairs[ERGI_OUTER])},
        .partner_force = dem->partner_force,
        .law = dem->law,
        .coef = dem->coef,
        .classes = (int)(dem->state.class_per_material ? world->materials : dem->state.classes),
        .coef_per_entry = dem->state.class_per_material,
        .one_law = dem->one_law,
        .history_width = dem->history_width,
        .normal_law = dem->normal_law,
        .tangential_law = dem->tangential_law,
        .rolling = dem->rolling,
        .cohesion = dem->cohesion,
        .fixed_point = &dem->fixed_point,
        .period = {world->space.period[0], world->space.period[1], 0},
        .dt = world->clock.dt,
        .report = dem->report,
    };
}

ergi_wall_pass ergi_wall_pass_of(const erg_world *world)
{
    const ergi_dem   *dem = ergi_dem_of(world);
    const ergi_lists *l = &dem->lists;
    return (ergi_wall_pass){
        .s = ergi_dem_spheres(world),
        .near_sphere = l->near.data[ERGI_NEAR_SPHERE],
        .near_start = l->near.data[ERGI_NEAR_START],
        .near_count = l->near.rows ? l->near.rows - 1 : 0,
        .wall_of = l->wall_entry.data[ERGI_WALL_ENTRY_WALL],
        .feature = l->wall_entry.data[ERGI_WALL_ENTRY_FEATURE],
        .history = l->wall_entry.data[ERGI_WALL_ENTRY_HISTORY],
        .spare = l->wall_entry.data[ERGI_WALL_ENTRY_SPARE],
        .history_width = dem->history_width,
        .slots = dem->wall_slots,
        .walls = world->wall,
        .state = world->wall_state,
        .pair = world->pair,
        .materials = world->materials,
        .class_material = dem->class_material,
        .grain_motion = world->grains.data[ERGI_GRAIN_MOTION],
        .normal_law = dem->normal_law,
        .tangential_law = dem->tangential_law,
        .many_sizes = dem->state.class_per_material,
        .usual = dem->normal_law == ERGI_NORMAL_HERTZ &&
                 dem->tangential_law == ERGI_TANGENTIAL_MINDLIN && !dem->rolling && !dem->cohesion,
        .dt = world->clock.dt,
        .sums = &dem->wall_sums,
        .report = dem->report,
    };
}

ergi_motion_pass ergi_motion_pass_of(const erg_world *world)
{
    const ergi_dem   *dem = ergi_dem_of(world);
    const ergi_table *b = &world->grains;
    return (ergi_motion_pass){
        .position = b->data[ERGI_GRAIN_POSITION],
        .orientation = b->data[ERGI_GRAIN_ORIENTATION],
        .motion = b->data[ERGI_GRAIN_MOTION],
        .force_torque = b->data[ERGI_GRAIN_FORCE_TORQUE],
        .kind = b->data[ERGI_GRAIN_KIND],
        .size = b->data[ERGI_GRAIN_SIZE],
        .first = b->data[ERGI_GRAIN_FIRST],
        .kinds = world->kind,
        .s = ergi_dem_spheres(world),
        .fixed_point = &dem->fixed_point,
        .incoming_start = dem->lists.incoming_span.data[ERGI_SPAN_START],
        .incoming = dem->lists.incoming.data[ERGI_INCOMING_ENTRY],
        .incoming_sphere = dem->lists.incoming.data[ERGI_INCOMING_SPHERE],
        .partner_force = dem->partner_force,
        .gravity = {world->clock.gravity[0], world->clock.gravity[1], world->clock.gravity[2]},
        .dt = world->clock.dt,
        .kick = world->def.integrator == ERG_EULER ? 1.0 : 0.5,
        .spin_damping = world->def.spin_damping,
        .least_radius = 0.5 * dem->skin_scale,
        .single = dem->state.single && !ergi_spheres_new_clumps(world),
        .orient = world->def.orient_spheres,
        .energy = world->def.energy,
        .displacements = dem->chunk_displacement,
        .report = dem->report,
    };
}

// ---- What the chunks of a pass found, put together in order ------------------------------------
// Work that contacts do on a wall that is driven; free bodies book their own. [W]
static double power_on(const ergi_wall_state *s)
{
    const ergi_pose *pose = &s->pose;
    return s->force[0] * pose->velocity.x + s->force[1] * pose->velocity.y +
           s->force[2] * pose->velocity.z + s->torque[0] * pose->spin.x +
           s->torque[1] * pose->spin.y + s->torque[2] * pose->spin.z;
}

// Walls feel nothing, before sums are added. Those that no sphere is near felt nothing already,
// unless one was near before, a body pushed them, or RKF45 went back to an earlier state.
static void clear_walls(erg_world *world)
{
    ergi_wall_sums *sums = &ergi_dem_of(world)->wall_sums;
    bool            all = sums->changed || world->free_bodies || world->def.integrator == ERG_RKF45;
    size_t          count = all ? world->walls : sums->near_count;
    for (size_t k = 0; k < count; k++) {
        ergi_wall_state *s = &world->wall_state[all ? k : sums->near[k]];
        for (int a = 0; a < 3; a++) s->force[a] = s->torque[a] = 0;
    }
    sums->changed = false;
}

// `skip_static_walls`: as in ergi_wall_pass.
static void read_walls(erg_world *world, int chunks, bool skip_static_walls)
{
    ergi_dem             *dem = ergi_dem_of(world);
    const ergi_wall_sums *sums = &dem->wall_sums;
    clear_walls(world);
    for (int c = 0; c < chunks; c++) {
        if (dem->report[c].wall_contacts == 0) continue;
        for (uint32_t r = sums->first[c]; r < sums->first[c + 1]; r++) {
            const double    *sum = sums->sum + ERGI_WALL_SUM * (size_t)r;
            ergi_wall_state *state = &world->wall_state[sums->wall[r]];
            if (skip_static_walls && !ergi_wall_moves(&world->wall[sums->wall[r]])) continue;
            for (int a = 0; a < 3; a++) {
                state->force[a] += sum[a];
                state->torque[a] += sum[ERGI_TORQUE + a];
            }
        }
    }
    dem->state.wall_power = 0;
    for (size_t k = 0; k < sums->near_count; k++) {
        uint32_t w = sums->near[k];
        if (!world->wall[w].body.free) dem->state.wall_power -= power_on(&world->wall_state[w]);
    }
}

static void read_contacts(erg_world *world, int chunks, bool skip_static_walls)
{
    ergi_dem   *dem = ergi_dem_of(world);
    ergi_report worst = {0};
    world->clock.contacts = world->clock.wall_contacts = 0;
    for (int c = 0; c < chunks; c++) {
        const ergi_report *r = &dem->report[c];
        world->clock.contacts += r->contacts;
        world->clock.wall_contacts += r->wall_contacts;
        if (r->overlap_ratio > worst.overlap_ratio) worst = *r;
    }
    dem->worst_overlap = worst;
    read_walls(world, chunks, skip_static_walls);
}

static void read_motion(erg_world *world, const ergi_motion_pass *motion, int chunks)
{
    ergi_dem *dem = ergi_dem_of(world);
    // Kick by kick, as if each had its own pass: the sum must not depend on who looks in between.
    for (int kick = 0; kick < 2; kick++)
        for (int c = 0; c < chunks; c++) world->clock.work += dem->report[c].work[kick];
    if (motion->start || motion->place) dem->displacement2 = 0;
    if (motion->start || motion->finish) dem->speed_ratio = 0;
    for (int c = 0; c < chunks; c++) {
        const ergi_report *r = &dem->report[c];
        if (!(r->displacement2 <= dem->displacement2)) dem->displacement2 = r->displacement2;
        if (r->speed_ratio > dem->speed_ratio) {
            dem->speed_ratio = r->speed_ratio;
            dem->fastest = r->fastest;
        }
    }
}

// ---- The passes --------------------------------------------------------------------------------
static void begin_displacements(erg_world *world)
{
    ergi_dem *dem = ergi_dem_of(world);
    int       chunks = ergi_chunk_count((erg_index)world->grains.rows, ERGI_CHUNK);
    for (int c = 0; c < chunks && !dem->displacements_known; c++)
        dem->chunk_displacement[c] = (ergi_chunk_displacement){.displacement = INFINITY};
    dem->displacements_known = true;
}

static ergi_motion_pass motion_parts(erg_world *world, ergi_advance parts)
{
    ergi_motion_pass motion = ergi_motion_pass_of(world);
    if (parts & ERGI_START) begin_displacements(world);
    motion.sum = parts & ERGI_SUM;
    motion.finish = parts & ERGI_FINISH;
    motion.start = parts & ERGI_START;
    motion.place = parts & ERGI_PLACE_SPHERES;
    return motion;
}

void ergi_dem_contacts(erg_world *world, bool dry_run, bool skip_static_walls)
{
    ergi_dem         *dem = ergi_dem_of(world);
    ergi_contact_pass pass = {ergi_pair_pass_of(world), ergi_wall_pass_of(world)};
    erg_index         spheres = pass.pairs.s.count;
    pass.pairs.dry_run = pass.walls.dry_run = dry_run;
    pass.walls.skip_static_walls = skip_static_walls;
    pass.pairs.next = -1;
    ergi_parallel_for(&world->threads, spheres, ERGI_CHUNK, dem->kernels->contacts, &pass);
    read_contacts(world, ergi_chunk_count(spheres, ERGI_CHUNK), skip_static_walls);
}

void ergi_dem_advance(erg_world *world, ergi_advance parts)
{
    ergi_dem        *dem = ergi_dem_of(world);
    ergi_motion_pass motion = motion_parts(world, parts);
    // Grains that were added since have no spheres to place yet.
    bool      all = parts != ERGI_PLACE_SPHERES;
    erg_index grains = (erg_index)(all ? world->grains.rows : dem->state.listed_grains);
    ergi_parallel_for(&world->threads, grains, ERGI_CHUNK, dem->kernels->advance, &motion);
    read_motion(world, &motion, ergi_chunk_count(grains, ERGI_CHUNK));
}

// Contacts of a chunk and, while it is near, its motion. A chunk may move when all that push it
// have done so, and with that have read it for the last time; chunks that would have to wait are
// late: they move when nobody has to wait for them any more, if possible by the thread that has
// them near. Loads stay near, too: nobody asks for those of a step that is not the last.
typedef struct both_passes {
    const ergi_dem_kernels *kernels;
    ergi_contact_pass       contacts;
    ergi_motion_pass        motion;
    const uint32_t         *source_first, *source_last;
    ergi_chunk_work        *work;
    ergi_work_queue        *queues;
    int                     parts;
    uint32_t               *late; // chunks that nobody waited for
    int                     chunks;
    erg_index               count;
} both_passes;

// For a chunk of another thread; longer when that thread was put to sleep, and then nobody waits.
#define LONGEST_WAIT 1e-4 // [s]

// A thread that is slow for a moment would lose its last chunk to another, be slow in the next step
// since it has to fetch that chunk, and lose it again.
enum { KEPT_CHUNKS = 1 };

static erg_index chunk_end(const both_passes *b, int chunk)
{
    erg_index end = (erg_index)(chunk + 1) * ERGI_CHUNK;
    return end < b->count ? end : b->count;
}

// Chunks first .. end-1 of a half of memory that a thread took one after the other: no need to ask
// whether they are done. The last is the one that it works on.
typedef struct chunk_run {
    uint32_t first, end;
} chunk_run;

static void add_to_run(chunk_run *own, uint32_t chunk)
{
    if (own->end != chunk) own->first = chunk;
    own->end = chunk + 1;
}

// One thread works on both halves by turns; several share memory out from end to end.
static int chunk_of_turn(const both_passes *b, int turn)
{
    return b->parts == 1 ? ergi_chunk_of_turn(turn, b->chunks) : turn;
}

static bool sources_done(const both_passes *b, uint32_t chunk, const chunk_run own[2])
{
    for (size_t half = 0; half < 2; half++) {
        uint32_t first = b->source_first[2 * chunk + half], last = b->source_last[2 * chunk + half];
        for (uint32_t s = first; s <= last; s++) {
            if (s >= own[half].first && s < own[half].end) s = own[half].end;
            if (s > last) break;
            if (s != chunk && !atomic_load_explicit(&b->work[s].done, memory_order_acquire))
                return false;
        }
    }
    return true;
}

static void move_chunk(const both_passes *b, ergi_motion_pass *motion, int c)
{
    double mark = ergi_clock_seconds();
    b->kernels->advance(motion, (erg_index)c * ERGI_CHUNK, chunk_end(b, c), c);
    b->work[c].motion_s = ergi_clock_seconds() - mark;
}

static bool may_move(const both_passes *b, int c)
{
    return atomic_load_explicit(&b->work[c].done, memory_order_acquire) &&
           sources_done(b, (uint32_t)c, (const chunk_run[2]){{0, 0}, {0, 0}});
}

static bool wait_for(const both_passes *b, int c)
{
    if (may_move(b, c)) return true;
    for (double since = ergi_clock_seconds(); ergi_clock_seconds() - since < LONGEST_WAIT;)
        if (may_move(b, c)) return true;
    return false;
}

// Unless somebody else did.
static void move_late(both_passes *b, int c)
{
    if (atomic_exchange_explicit(&b->work[c].late, false, memory_order_relaxed))
        move_chunk(b, &b->motion, c);
}

// Those of a thread's own share forwards, then those of others backwards, so that they meet; none
// any more after one for which it would have to wait for long.
static void move_late_ones(both_passes *b, int part)
{
    int first = ergi_work_queue_first(b->chunks, b->parts, part),
        end = ergi_work_queue_first(b->chunks, b->parts, part + 1);
    for (int k = 0; k < b->chunks; k++) {
        int ahead = k < end - first ? k : b->chunks - 1 - (k - (end - first));
        int c = chunk_of_turn(b, (first + ahead) % b->chunks);
        if (!wait_for(b, c)) return;
        move_late(b, c);
    }
}

// Those of the turns from *behind to `now` - 1 for which nobody has to wait any more.
static void catch_up(both_passes *b, int *behind, int now)
{
    for (; *behind < now; ++*behind) {
        int c = chunk_of_turn(b, *behind);
        if (!atomic_load_explicit(&b->work[c].late, memory_order_relaxed)) continue;
        if (!may_move(b, c)) return;
        move_late(b, c);
    }
}

static void contacts_then_motion(void *ctx, int part)
{
    both_passes      *b = ctx;
    ergi_contact_pass contacts = b->contacts;
    ergi_motion_pass  motion = b->motion;
    _Alignas(64) char force_torques[ERGI_CHUNK * 8 * sizeof(double)];
    chunk_run         own[2] = {{0, 0}, {0, 0}};
    const int         first = ergi_work_queue_first(b->chunks, b->parts, part),
              end = ergi_work_queue_first(b->chunks, b->parts, part + 1);
    int behind = first;
    for (int turn; (turn = ergi_work_queues_take(b->queues, b->parts, part, KEPT_CHUNKS)) >= 0;) {
        int       c = chunk_of_turn(b, turn);
        erg_index from = (erg_index)c * ERGI_CHUNK, to = chunk_end(b, c);
        add_to_run(&own[c >= b->chunks / 2], (uint32_t)c);
        bool own_next = turn >= first && turn + 1 < end;
        contacts.pairs.next =
            own_next ? (erg_index)chunk_of_turn(b, turn + 1) * ERGI_CHUNK : b->count;
        catch_up(b, &behind, turn < end ? turn : end);
        bool   late = !sources_done(b, (uint32_t)c, own);
        void  *force_torque = late ? b->motion.s.force_torque : force_torques;
        size_t force_torque_first = late ? 0 : (size_t)from;
        contacts.pairs.s.force_torque = contacts.walls.s.force_torque = motion.s.force_torque =
            force_torque;
        contacts.pairs.s.force_torque_first = contacts.walls.s.force_torque_first =
            motion.s.force_torque_first = force_torque_first;
        b->kernels->contacts(&contacts, from, to, c);
        atomic_store_explicit(&b->work[c].late, late, memory_order_relaxed);
        atomic_store_explicit(&b->work[c].done, true, memory_order_release);
        if (!late) move_chunk(b, &motion, c);
    }
    move_late_ones(b, part);
}

static void late_motion(void *ctx, erg_index begin, erg_index end, int k)
{
    (void)begin, (void)end;
    both_passes *b = ctx;
    move_chunk(b, &b->motion, (int)b->late[k]);
}

bool ergi_dem_can_fuse(const erg_world *world)
{
    const ergi_dem *dem = ergi_dem_of(world);
    return dem->state.single && !world->clock.dirty && !ergi_spheres_new_clumps(world);
}

void ergi_dem_fused_pass(erg_world *world, double wall_power_before)
{
    ergi_dem   *dem = ergi_dem_of(world);
    both_passes b = {
        .kernels = dem->kernels,
        .contacts = {ergi_pair_pass_of(world), ergi_wall_pass_of(world)},
        .motion = motion_parts(
            world, (ergi_advance)(ERGI_SUM | ERGI_FINISH | ERGI_START | ERGI_PLACE_SPHERES)),
        .source_first = dem->lists.source.data[ERGI_SOURCE_FIRST],
        .source_last = dem->lists.source.data[ERGI_SOURCE_LAST],
        .work = dem->chunk_work,
        .queues = dem->queues,
        .late = dem->late,
        .count = (erg_index)world->grains.rows,
    };
    int       chunks = b.chunks = ergi_chunk_count(b.count, ERGI_CHUNK);
    erg_index late = 0;
    double    mark = ergi_clock_seconds(), motion = 0;
    b.contacts.walls.skip_static_walls = true;
    b.parts = world->threads.count < chunks ? world->threads.count : chunks;
    ergi_work_queues_fill(b.queues, b.parts, chunks);
    for (int c = 0; c < chunks; c++)
        atomic_store_explicit(&b.work[c].done, false, memory_order_relaxed);
    ergi_parallel_parts(&world->threads, b.parts, contacts_then_motion, &b);
    for (int c = 0; c < chunks; c++)
        if (atomic_load_explicit(&b.work[c].late, memory_order_relaxed))
            b.late[late++] = (uint32_t)c;
    ergi_parallel_for(&world->threads, late, 1, late_motion, &b);
    ergi_dem_spend(world, ERGI_PHASE_FORCES, &mark);
    for (int c = 0; c < chunks; c++) motion += b.work[c].motion_s / world->threads.count;
    dem->phase[ERGI_PHASE_FORCES] -= motion;
    dem->phase[ERGI_PHASE_INTEGRATE] += motion;
    read_contacts(world, chunks, true);
    ergi_dem_book_walls(world, wall_power_before);
    read_motion(world, &b.motion, chunks);
}

void ergi_dem_forces(erg_world *world, bool dry_run)
{
    ergi_dem_contacts(world, dry_run, false);
    ergi_dem_advance(world, ERGI_SUM);
}
