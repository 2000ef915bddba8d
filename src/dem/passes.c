// The inputs of each pass, and the force evaluation that runs the passes.
#include <math.h>

#include "base/clock.h"
#include "dem/spheres.h"
#include "dem/step.h"
#include "law/kinds.h"
#include "world/body_axes.h"

static ergi_pair_entries side_of(const ergi_pair_list *list)
{
    const ergi_table *e = &list->entry;
    return (ergi_pair_entries){.start = list->span.data[ERGI_SPAN_START],
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
        .ground =
            ergi_near_ground_rows(&dem->near_ground, l->wall_entry.rows, world->wall, world->walls),
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

// ---- Reports of the chunks, combined in chunk order --------------------------------------------
// Power of the contacts on a driven wall; for free bodies it is added in body_motion.c. [W]
// Power on the axes that are not free. [W]
static double power_on(const ergi_wall_state *s, uint32_t free_axes)
{
    erg_vec3 v = ergi_driven_move(free_axes, s->pose.velocity),
             spin = ergi_driven_turn(free_axes, s->pose.spin);
    return s->force[0] * v.x + s->force[1] * v.y + s->force[2] * v.z + s->torque[0] * spin.x +
           s->torque[1] * spin.y + s->torque[2] * spin.z;
}

// Sets the forces on walls to zero. Walls without spheres nearby are zero already, unless the wall
// lists changed, bodies may push them, or RKF45 restored an earlier state.
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
            if (skip_static_walls && !ergi_wall_pose_moves(&world->wall[sums->wall[r]])) continue;
            for (int a = 0; a < 3; a++) {
                state->force[a] += sum[a];
                state->torque[a] += sum[ERGI_TORQUE + a];
            }
        }
    }
    dem->state.wall_power = 0;
    for (size_t k = 0; k < sums->near_count; k++) {
        uint32_t w = sums->near[k];
        uint32_t axes = world->wall[w].body.free_axes;
        if (axes != ERG_AXIS_ALL) dem->state.wall_power -= power_on(&world->wall_state[w], axes);
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
    // One kick after the other, as if each had its own pass: the rounding of the sum must not
    // depend on whether the passes were fused.
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
static void init_displacements(erg_world *world)
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
    if (parts & ERGI_FIRST_KICK_AND_DRIFT) init_displacements(world);
    motion.sum = parts & ERGI_SUM_FORCES;
    motion.finish = parts & ERGI_SECOND_KICK;
    motion.start = parts & ERGI_FIRST_KICK_AND_DRIFT;
    motion.place = parts & ERGI_SET_SPHERES;
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
    // Grains added since the last rebuild have no spheres yet.
    bool      all = parts != ERGI_SET_SPHERES;
    erg_index grains = (erg_index)(all ? world->grains.rows : dem->state.listed_grains);
    ergi_parallel_for(&world->threads, grains, ERGI_CHUNK, dem->kernels->advance, &motion);
    read_motion(world, &motion, ergi_chunk_count(grains, ERGI_CHUNK));
}

// ---- The fused pass ----------------------------------------------------------------------------
// Contacts of a chunk and then, while it is in the cache, its motion. A chunk may move once all its
// source chunks (those that store partner forces for it) have finished their contacts: only then
// are its forces complete and its old positions no longer read. A chunk whose sources are
// unfinished is deferred: it moves later, if possible on the thread that has it in its cache.
// Forces and torques of chunks that move at once stay in a local buffer: nothing reads them between
// the two steps.
typedef struct fused_pass {
    const ergi_dem_kernels *kernels;
    ergi_contact_pass       contacts;
    ergi_motion_pass        motion;
    const uint32_t         *source_first, *source_last;
    ergi_chunk_work        *work;
    ergi_work_queue        *queues;
    int                     parts;
    uint32_t               *leftover; // chunks still deferred when all threads are done
    int                     chunks;
    erg_index               count;
} fused_pass;

// Longest wait for a chunk of another thread. A thread that takes longer was probably descheduled;
// its chunks are then left over. [s]
#define LONGEST_WAIT 1e-4

// Chunks of a thread's share that cannot be stolen. Without this, a thread that is slow for a
// moment loses its last chunk, is slow in the next step because that chunk is in another cache, and
// loses it again.
enum { UNSTEALABLE = 1 };

static erg_index chunk_end(const fused_pass *b, int chunk)
{
    erg_index end = (erg_index)(chunk + 1) * ERGI_CHUNK;
    return end < b->count ? end : b->count;
}

// Consecutive chunks first .. end-1 in one half of memory that this thread took: their `done` flags
// need not be read. The last is the current chunk.
typedef struct chunk_run {
    uint32_t first, end;
} chunk_run;

static void add_to_run(chunk_run *own, uint32_t chunk)
{
    if (own->end != chunk) own->first = chunk;
    own->end = chunk + 1;
}

// A single thread alternates between the two halves of memory; several threads take consecutive
// shares.
static int chunk_of_turn(const fused_pass *b, int turn)
{
    return b->parts == 1 ? ergi_chunk_of_turn(turn, b->chunks) : turn;
}

static bool sources_done(const fused_pass *b, uint32_t chunk, const chunk_run own[2])
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

static void move_chunk(const fused_pass *b, ergi_motion_pass *motion, int c)
{
    double mark = ergi_clock_seconds();
    b->kernels->advance(motion, (erg_index)c * ERGI_CHUNK, chunk_end(b, c), c);
    b->work[c].motion_s = ergi_clock_seconds() - mark;
}

static bool may_move(const fused_pass *b, int c)
{
    return atomic_load_explicit(&b->work[c].done, memory_order_acquire) &&
           sources_done(b, (uint32_t)c, (const chunk_run[2]){{0, 0}, {0, 0}});
}

static bool wait_for(const fused_pass *b, int c)
{
    if (may_move(b, c)) return true;
    for (double since = ergi_clock_seconds(); ergi_clock_seconds() - since < LONGEST_WAIT;)
        if (may_move(b, c)) return true;
    return false;
}

// No-op if another thread already moved it.
static void move_deferred(fused_pass *b, int c)
{
    if (atomic_exchange_explicit(&b->work[c].deferred, false, memory_order_relaxed))
        move_chunk(b, &b->motion, c);
}

// Moves the deferred chunks of the thread's own share in ascending order, then those of the others
// in descending order, so that threads meet in the middle. Stops at a chunk that would take too
// long to wait for.
static void move_deferred_chunks(fused_pass *b, int part)
{
    int first = ergi_work_queue_first(b->chunks, b->parts, part),
        end = ergi_work_queue_first(b->chunks, b->parts, part + 1);
    for (int k = 0; k < b->chunks; k++) {
        int ahead = k < end - first ? k : b->chunks - 1 - (k - (end - first));
        int c = chunk_of_turn(b, (first + ahead) % b->chunks);
        if (!wait_for(b, c)) return;
        move_deferred(b, c);
    }
}

// Moves deferred chunks of the turns *deferred_turn to `now` - 1, up to the first whose sources are
// unfinished.
static void catch_up(fused_pass *b, int *deferred_turn, int now)
{
    for (; *deferred_turn < now; ++*deferred_turn) {
        int c = chunk_of_turn(b, *deferred_turn);
        if (!atomic_load_explicit(&b->work[c].deferred, memory_order_relaxed)) continue;
        if (!may_move(b, c)) return;
        move_deferred(b, c);
    }
}

static void contacts_then_motion(void *ctx, int part)
{
    fused_pass       *b = ctx;
    ergi_contact_pass contacts = b->contacts;
    ergi_motion_pass  motion = b->motion;
    _Alignas(64) char force_torques[ERGI_CHUNK * 8 * sizeof(double)];
    chunk_run         own[2] = {{0, 0}, {0, 0}};
    const int         first = ergi_work_queue_first(b->chunks, b->parts, part),
              end = ergi_work_queue_first(b->chunks, b->parts, part + 1);
    int deferred_turn = first;
    for (int turn; (turn = ergi_work_queues_take(b->queues, b->parts, part, UNSTEALABLE)) >= 0;) {
        int       c = chunk_of_turn(b, turn);
        erg_index from = (erg_index)c * ERGI_CHUNK, to = chunk_end(b, c);
        add_to_run(&own[c >= b->chunks / 2], (uint32_t)c);
        bool own_next = turn >= first && turn + 1 < end;
        contacts.pairs.next =
            own_next ? (erg_index)chunk_of_turn(b, turn + 1) * ERGI_CHUNK : b->count;
        catch_up(b, &deferred_turn, turn < end ? turn : end);
        bool   defer = !sources_done(b, (uint32_t)c, own);
        void  *force_torque = defer ? b->motion.s.force_torque : force_torques;
        size_t force_torque_first = defer ? 0 : (size_t)from;
        contacts.pairs.s.force_torque = contacts.walls.s.force_torque = motion.s.force_torque =
            force_torque;
        contacts.pairs.s.force_torque_first = contacts.walls.s.force_torque_first =
            motion.s.force_torque_first = force_torque_first;
        b->kernels->contacts(&contacts, from, to, c);
        atomic_store_explicit(&b->work[c].deferred, defer, memory_order_relaxed);
        atomic_store_explicit(&b->work[c].done, true, memory_order_release);
        if (!defer) move_chunk(b, &motion, c);
    }
    move_deferred_chunks(b, part);
}

static void move_leftover(void *ctx, erg_index begin, erg_index end, int k)
{
    (void)begin, (void)end;
    fused_pass *b = ctx;
    move_chunk(b, &b->motion, (int)b->leftover[k]);
}

bool ergi_dem_can_fuse(const erg_world *world)
{
    const ergi_dem *dem = ergi_dem_of(world);
    return dem->state.single && !world->clock.dirty && !ergi_spheres_new_clumps(world);
}

void ergi_dem_fused_pass(erg_world *world, double wall_power_before)
{
    ergi_dem  *dem = ergi_dem_of(world);
    fused_pass b = {
        .kernels = dem->kernels,
        .contacts = {ergi_pair_pass_of(world), ergi_wall_pass_of(world)},
        .motion = motion_parts(world, (ergi_advance)(ERGI_SUM_FORCES | ERGI_SECOND_KICK |
                                                     ERGI_FIRST_KICK_AND_DRIFT | ERGI_SET_SPHERES)),
        .source_first = dem->lists.source.data[ERGI_SOURCE_FIRST],
        .source_last = dem->lists.source.data[ERGI_SOURCE_LAST],
        .work = dem->chunk_work,
        .queues = dem->queues,
        .leftover = dem->leftover_chunks,
        .count = (erg_index)world->grains.rows,
    };
    int       chunks = b.chunks = ergi_chunk_count(b.count, ERGI_CHUNK);
    erg_index leftover = 0;
    double    mark = ergi_clock_seconds(), motion = 0;
    b.contacts.walls.skip_static_walls = true;
    b.parts = world->threads.count < chunks ? world->threads.count : chunks;
    ergi_work_queues_fill(b.queues, b.parts, chunks);
    for (int c = 0; c < chunks; c++)
        atomic_store_explicit(&b.work[c].done, false, memory_order_relaxed);
    ergi_parallel_parts(&world->threads, b.parts, contacts_then_motion, &b);
    for (int c = 0; c < chunks; c++)
        if (atomic_load_explicit(&b.work[c].deferred, memory_order_relaxed))
            b.leftover[leftover++] = (uint32_t)c;
    ergi_parallel_for(&world->threads, leftover, 1, move_leftover, &b);
    ergi_dem_add_time(world, ERGI_PHASE_FORCES, &mark);
    for (int c = 0; c < chunks; c++) motion += b.work[c].motion_s / world->threads.count;
    dem->phase[ERGI_PHASE_FORCES] -= motion;
    dem->phase[ERGI_PHASE_INTEGRATE] += motion;
    read_contacts(world, chunks, true);
    ergi_dem_subtract_wall_work(world, wall_power_before);
    read_motion(world, &b.motion, chunks);
}

void ergi_dem_forces(erg_world *world, bool dry_run)
{
    ergi_dem_contacts(world, dry_run, false);
    ergi_dem_advance(world, ERGI_SUM_FORCES);
}
