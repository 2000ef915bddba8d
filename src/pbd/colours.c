// Graph colouring: which contacts can be solved at the same time. Grains are stored in chunks that
// are compact in space. The candidate pairs within a chunk, or between two chunks, form a task;
// tasks that share no chunk run on different threads. Within a task candidates are coloured: those
// of one colour share no grain, so eight of them are solved at once (one per lane). Tasks and
// colours depend only on the neighbour lists, and so does the order in which contacts are solved.
#include <string.h>

#include "base/memory.h"
#include "pbd/pbd.h"

enum { MASKS = 64 }; // colours of a grain that are tracked in a bit mask

typedef ergi_pbd_link link_to;

// ---- Tasks -------------------------------------------------------------------------------------
static erg_status new_task(ergi_pbd *pbd, uint32_t low, uint32_t high, uint32_t *task,
                           erg_error *err)
{
    erg_status status = ergi_memory_grow(&pbd->task, &pbd->task_room, pbd->tasks + 1,
                                         sizeof *pbd->task, "tasks", err);
    if (status != ERG_OK) return status;
    *task = (uint32_t)pbd->tasks++;
    pbd->task[*task] = (ergi_pbd_task){.chunk = {low, high}};
    return ERG_OK;
}

static erg_status task_between(ergi_pbd *pbd, uint32_t low, uint32_t high, uint32_t *task,
                               erg_error *err)
{
    for (uint32_t k = pbd->chunk_link[low]; k != UINT32_MAX; k = pbd->link[k].next)
        if (pbd->link[k].other == high) {
            *task = pbd->link[k].task;
            return ERG_OK;
        }
    erg_status status = new_task(pbd, low, high, task, err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&pbd->link, &pbd->link_room, pbd->links + 1, sizeof *pbd->link,
                                  "tasks", err);
    if (status != ERG_OK) return status;
    pbd->link[pbd->links] = (link_to){high, *task, pbd->chunk_link[low]};
    pbd->chunk_link[low] = (uint32_t)pbd->links++;
    return ERG_OK;
}

// One task per chunk first, then those between two chunks in list order. `room` counts candidates.
static erg_status find_tasks(ergi_pbd *pbd, erg_error *err)
{
    const uint32_t *start = pbd->pairs.start.data[ERGI_PAIRS_START];
    const uint32_t *other = pbd->pairs.pair.data[ERGI_PAIRS_OTHER];
    size_t          spheres = ergi_pairs_spheres(&pbd->pairs);
    erg_status      status = ERG_OK;
    uint32_t        task = 0;
    pbd->tasks = pbd->links = 0;
    for (uint32_t c = 0; c < pbd->chunks && status == ERG_OK; c++) {
        pbd->chunk_link[c] = UINT32_MAX;
        status = new_task(pbd, c, c, &task, err);
    }
    for (uint32_t i = 0; i < spheres && status == ERG_OK; i++) {
        uint32_t a = ergi_pbd_grain_of(pbd, i) / ERGI_PBD_CHUNK, last = UINT32_MAX;
        for (uint32_t e = start[i]; e < start[i + 1] && status == ERG_OK; e++) {
            uint32_t b = ergi_pbd_grain_of(pbd, other[e]) / ERGI_PBD_CHUNK;
            if (a == b)
                task = a;
            else if (b != last)
                status = task_between(pbd, a < b ? a : b, a < b ? b : a, &task, err);
            last = b;
            pbd->entry_task[e] = task;
            if (status == ERG_OK) pbd->task[task].room++;
        }
    }
    return status;
}

// Orders tasks between chunks in rounds; tasks of one round share no chunk (the last of the 64
// rounds excepted), so that they can run in parallel.
static erg_status order_tasks(ergi_pbd *pbd, erg_error *err)
{
    size_t         n = pbd->tasks;
    uint64_t      *busy = ergi_memory_new(pbd->chunks + 1, sizeof *busy, "tasks", err);
    uint8_t       *round = ergi_memory_new(n + 1, 1, "tasks", err);
    uint32_t      *at = ergi_memory_new(n + 1, sizeof *at, "tasks", err);
    ergi_pbd_task *sorted = ergi_memory_new(n + 1, sizeof *sorted, "tasks", err);
    if (busy && round && at && sorted) {
        for (size_t t = pbd->chunks; t < n; t++) {
            uint64_t *a = &busy[pbd->task[t].chunk[0]], *b = &busy[pbd->task[t].chunk[1]];
            uint64_t  free = ~(*a | *b);
            int       r = free ? __builtin_ctzll(free) : 63;
            *a |= (uint64_t)1 << r;
            *b |= (uint64_t)1 << r;
            round[t] = (uint8_t)(r + 1);
        }
        size_t next = 0;
        for (int r = 0; r <= 64; r++)
            for (size_t t = 0; t < n; t++)
                if (round[t] == r) at[t] = (uint32_t)next++;
        for (size_t t = 0; t < n; t++) sorted[at[t]] = pbd->task[t];
        if (n) memcpy(pbd->task, sorted, n * sizeof *sorted);
        for (size_t e = 0; e < pbd->pairs.pair.rows; e++)
            pbd->entry_task[e] = at[pbd->entry_task[e]];
    }
    erg_status status = busy && round && at && sorted ? ERG_OK : ERG_NO_MEMORY;
    ergi_memory_free(busy);
    ergi_memory_free(round);
    ergi_memory_free(at);
    ergi_memory_free(sorted);
    return status;
}

// Distributes candidates to their tasks, in the order of the lists.
static void share_out(ergi_pbd *pbd)
{
    const uint32_t *start = pbd->pairs.start.data[ERGI_PAIRS_START];
    const uint32_t *other = pbd->pairs.pair.data[ERGI_PAIRS_OTHER];
    size_t          spheres = ergi_pairs_spheres(&pbd->pairs), sum = 0;
    for (size_t t = 0; t < pbd->tasks; t++) {
        pbd->task[t].colour = sum;
        sum += pbd->task[t].room;
        pbd->task[t].room = 0;
    }
    for (uint32_t i = 0; i < spheres; i++)
        for (uint32_t e = start[i]; e < start[i + 1]; e++) {
            ergi_pbd_task *t = &pbd->task[pbd->entry_task[e]];
            pbd->by_task[t->colour + t->room++] = (ergi_pbd_candidate){i, other[e], e};
        }
}

// ---- Colours -----------------------------------------------------------------------------------
// The lowest colour that neither grain uses. Beyond the bit mask, the next above the highest of
// both.
static uint32_t take_colour(uint64_t *used_a, uint64_t *used_b, uint32_t *more_a, uint32_t *more_b)
{
    uint64_t free = ~(*used_a | *used_b);
    if (free) {
        int c = __builtin_ctzll(free);
        *used_a |= (uint64_t)1 << c;
        *used_b |= (uint64_t)1 << c;
        return (uint32_t)c;
    }
    uint32_t c = *more_a > *more_b ? *more_a : *more_b;
    *more_a = *more_b = c + 1;
    return MASKS + c;
}

static uint32_t local_of(const ergi_pbd_task *t, uint32_t body)
{
    uint32_t chunk = body / ERGI_PBD_CHUNK;
    return body % ERGI_PBD_CHUNK + (chunk == t->chunk[0] ? 0 : ERGI_PBD_CHUNK);
}

// Writes the task's colours to pbd->colour, from the index of its first candidate: there are never
// more colours than candidates. Returns the number of colours.
static size_t colour_task(ergi_pbd *pbd, ergi_pbd_task *t)
{
    uint64_t            used[2 * ERGI_PBD_CHUNK] = {0};
    uint32_t            more[2 * ERGI_PBD_CHUNK] = {0};
    ergi_pbd_candidate *plain = pbd->by_task + t->colour;
    ergi_pbd_colour    *colour = pbd->colour + t->colour;
    uint32_t           *of = pbd->entry_task; // reused: colour of each entry
    size_t              count = t->room, colours = 0, sum = t->colour;
    for (size_t n = 0; n < count; n++) {
        uint32_t a = local_of(t, ergi_pbd_grain_of(pbd, plain[n].i)),
                 b = local_of(t, ergi_pbd_grain_of(pbd, plain[n].j));
        uint32_t c = take_colour(&used[a], &used[b], &more[a], &more[b]);
        of[plain[n].entry] = c;
        for (; colours <= c; colours++) colour[colours].end = 0;
        colour[c].end++;
    }
    for (size_t c = 0; c < colours; c++) {
        size_t size = colour[c].end;
        colour[c].first = colour[c].end = sum;
        sum += size;
    }
    for (size_t n = 0; n < count; n++) {
        ergi_pbd_colour *c = &colour[of[plain[n].entry]];
        pbd->candidate[c->end++] = plain[n];
    }
    return colours;
}

static void colour_range(void *ctx, erg_index begin, erg_index end, int chunk)
{
    (void)chunk;
    ergi_pbd *pbd = ctx;
    for (erg_index k = begin; k < end; k++) {
        ergi_pbd_task *t = &pbd->task[k];
        t->colours = colour_task(pbd, t);
        t->room = 0;
        for (size_t c = t->colour; c < t->colour + t->colours; c++) {
            size_t n = pbd->colour[c].end - pbd->colour[c].first;
            t->room += (n + ERGI_PBD_LANES - 1) / ERGI_PBD_LANES;
        }
    }
}

// ---- All ---------------------------------------------------------------------------------------
static erg_status reserve(ergi_pbd *pbd, erg_error *err)
{
    static const char what[] = "colours";
    size_t            entries = pbd->pairs.pair.rows;
    erg_status        status = ergi_memory_grow(&pbd->candidate, &pbd->candidate_room, entries,
                                                sizeof *pbd->candidate, "candidates", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&pbd->colour, &pbd->colour_room, entries + 1, sizeof *pbd->colour,
                                  what, err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&pbd->held, &pbd->held_room, entries, 1, what, err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&pbd->entry_task, &pbd->entry_task_room, entries,
                                  sizeof *pbd->entry_task, what, err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&pbd->by_task, &pbd->by_task_room, entries, sizeof *pbd->by_task,
                                  what, err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&pbd->chunk_link, &pbd->chunk_link_room, pbd->chunks,
                                  sizeof *pbd->chunk_link, what, err);
    return status;
}

// Whether each pair has history: the sweeps read a byte instead of a row.
static void mark_held(ergi_pbd *pbd)
{
    const float *history = pbd->pairs.pair.data[ERGI_PAIRS_HISTORY];
    for (size_t e = 0; e < pbd->pairs.pair.rows; e++)
        pbd->held[e] = history[ERGI_PBD_HISTORY * e + ERGI_PBD_P] != 0;
}

erg_status ergi_pbd_colour_tasks(erg_world *world, erg_error *err)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    pbd->coloured = false;
    pbd->chunks = (size_t)ergi_chunk_count((erg_index)world->grains.rows, ERGI_PBD_CHUNK);
    if (pbd->chunks == 0) pbd->chunks = 1; // no grains, only bodies
    erg_status status = reserve(pbd, err);
    if (status == ERG_OK) status = find_tasks(pbd, err);
    if (status == ERG_OK) status = order_tasks(pbd, err);
    if (status != ERG_OK) return status;
    mark_held(pbd);
    share_out(pbd);
    ergi_parallel_for(&world->threads, (erg_index)pbd->tasks, 1, colour_range, pbd);
    pbd->pair_tasks = pbd->tasks;
    pbd->groups = 0;
    for (size_t t = 0; t < pbd->tasks; t++) {
        pbd->task[t].group = pbd->groups;
        pbd->groups += pbd->task[t].room;
    }
    pbd->coloured = true;
    return ERG_OK;
}
