// Graph colouring: which contacts can be solved at the same time. Grains are stored in chunks that
// are compact in space. The candidate pairs within a chunk, or between two chunks, form a task;
// tasks that share no chunk run on different threads. Within a task candidates are coloured: those
// of one colour share no grain, so eight of them are solved at once (one per lane). Tasks and
// colours depend only on the neighbour lists, and so does the order in which contacts are solved.
#include <string.h>

#include "base/memory.h"
#include "pbd/pbd.h"

enum { MASKS = 64 }; // colours of a grain that are tracked in a bit mask

// A neighbouring chunk and the task between the two; linked list per chunk.
typedef struct ergi_pbd_link {
    uint32_t other, task, next;
} link_to;

typedef struct ergi_pbd_making {
    ergi_pbd           *pbd;
    uint32_t           *of_entry; // task of each neighbour list entry
    ergi_pbd_candidate *plain;    // candidates sorted by task, not yet by colour
    link_to            *link;
    uint32_t           *head; // of each chunk's list
    size_t              links, link_room;
} making;

// ---- Tasks -------------------------------------------------------------------------------------
static erg_status new_task(making *m, uint32_t low, uint32_t high, uint32_t *task, erg_error *err)
{
    ergi_pbd  *pbd = m->pbd;
    erg_status status = ergi_memory_grow(&pbd->task, &pbd->task_room, pbd->tasks + 1,
                                         sizeof *pbd->task, "tasks", err);
    if (status != ERG_OK) return status;
    *task = (uint32_t)pbd->tasks++;
    pbd->task[*task] = (ergi_pbd_task){.chunk = {low, high}};
    return ERG_OK;
}

static erg_status task_between(making *m, uint32_t low, uint32_t high, uint32_t *task,
                               erg_error *err)
{
    for (uint32_t k = m->head[low]; k != UINT32_MAX; k = m->link[k].next)
        if (m->link[k].other == high) {
            *task = m->link[k].task;
            return ERG_OK;
        }
    erg_status status = new_task(m, low, high, task, err);
    if (status == ERG_OK)
        status =
            ergi_memory_grow(&m->link, &m->link_room, m->links + 1, sizeof *m->link, "tasks", err);
    if (status != ERG_OK) return status;
    m->link[m->links] = (link_to){high, *task, m->head[low]};
    m->head[low] = (uint32_t)m->links++;
    return ERG_OK;
}

// One task per chunk first, then those between two chunks in list order. `room` counts candidates.
static erg_status find_tasks(making *m, erg_error *err)
{
    ergi_pbd       *pbd = m->pbd;
    const uint32_t *start = pbd->pairs.start.data[ERGI_PAIRS_START];
    const uint32_t *other = pbd->pairs.pair.data[ERGI_PAIRS_OTHER];
    size_t          spheres = ergi_pairs_spheres(&pbd->pairs);
    erg_status      status = ERG_OK;
    uint32_t        task = 0;
    pbd->tasks = 0;
    for (uint32_t c = 0; c < pbd->chunks && status == ERG_OK; c++) {
        m->head[c] = UINT32_MAX;
        status = new_task(m, c, c, &task, err);
    }
    for (uint32_t i = 0; i < spheres && status == ERG_OK; i++) {
        uint32_t a = ergi_pbd_grain_of(pbd, i) / ERGI_PBD_CHUNK, last = UINT32_MAX;
        for (uint32_t e = start[i]; e < start[i + 1] && status == ERG_OK; e++) {
            uint32_t b = ergi_pbd_grain_of(pbd, other[e]) / ERGI_PBD_CHUNK;
            if (a == b)
                task = a;
            else if (b != last)
                status = task_between(m, a < b ? a : b, a < b ? b : a, &task, err);
            last = b;
            m->of_entry[e] = task;
            if (status == ERG_OK) pbd->task[task].room++;
        }
    }
    return status;
}

// Orders tasks between chunks in rounds; tasks of one round share no chunk (the last of the 64
// rounds excepted), so that they can run in parallel.
static erg_status order_tasks(making *m, erg_error *err)
{
    ergi_pbd      *pbd = m->pbd;
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
        for (size_t e = 0; e < pbd->pairs.pair.rows; e++) m->of_entry[e] = at[m->of_entry[e]];
    }
    erg_status status = busy && round && at && sorted ? ERG_OK : ERG_NO_MEMORY;
    ergi_memory_free(busy);
    ergi_memory_free(round);
    ergi_memory_free(at);
    ergi_memory_free(sorted);
    return status;
}

// Distributes candidates to their tasks, in the order of the lists.
static void share_out(making *m)
{
    ergi_pbd       *pbd = m->pbd;
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
            ergi_pbd_task *t = &pbd->task[m->of_entry[e]];
            m->plain[t->colour + t->room++] = (ergi_pbd_candidate){i, other[e], e};
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
static size_t colour_task(making *m, ergi_pbd_task *t)
{
    ergi_pbd           *pbd = m->pbd;
    uint64_t            used[2 * ERGI_PBD_CHUNK] = {0};
    uint32_t            more[2 * ERGI_PBD_CHUNK] = {0};
    ergi_pbd_candidate *plain = m->plain + t->colour;
    ergi_pbd_colour    *colour = pbd->colour + t->colour;
    uint32_t           *of = m->of_entry; // reused: colour of each entry
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
    making *m = ctx;
    for (erg_index k = begin; k < end; k++) {
        ergi_pbd_task *t = &m->pbd->task[k];
        t->colours = colour_task(m, t);
        t->room = 1; // `find` opens a group after a full one, also after the last
        for (size_t c = t->colour; c < t->colour + t->colours; c++) {
            size_t n = m->pbd->colour[c].end - m->pbd->colour[c].first;
            t->room += (n + ERGI_PBD_LANES - 1) / ERGI_PBD_LANES;
        }
    }
}

// ---- All ---------------------------------------------------------------------------------------
static erg_status make_all(erg_world *world, making *m, erg_error *err)
{
    ergi_pbd  *pbd = m->pbd;
    size_t     entries = pbd->pairs.pair.rows;
    erg_status status = ergi_memory_grow(&pbd->candidate, &pbd->candidate_room, entries + 32,
                                         sizeof *pbd->candidate, "candidates", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&pbd->colour, &pbd->colour_room, entries + 1, sizeof *pbd->colour,
                                  "colours", err);
    if (status == ERG_OK) status = find_tasks(m, err);
    if (status == ERG_OK) status = order_tasks(m, err);
    if (status != ERG_OK) return status;
    share_out(m);
    ergi_parallel_for(&world->threads, (erg_index)pbd->tasks, 1, colour_range, m);
    pbd->pair_tasks = pbd->tasks;
    pbd->groups = 0;
    for (size_t t = 0; t < pbd->tasks; t++) {
        pbd->task[t].group = pbd->groups;
        pbd->groups += pbd->task[t].room;
    }
    return ERG_OK;
}

erg_status ergi_pbd_colour_tasks(erg_world *world, erg_error *err)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    making    m = {.pbd = pbd};
    size_t    entries = pbd->pairs.pair.rows;
    pbd->coloured = false;
    pbd->chunks = (size_t)ergi_chunk_count((erg_index)world->grains.rows, ERGI_PBD_CHUNK);
    if (pbd->chunks == 0) pbd->chunks = 1; // no grains, only bodies
    m.of_entry = ergi_memory_new(entries + 1, sizeof *m.of_entry, "colours", err);
    m.plain = ergi_memory_new(entries + 1, sizeof *m.plain, "colours", err);
    m.head = ergi_memory_new(pbd->chunks + 1, sizeof *m.head, "colours", err);
    erg_status status = ERG_NO_MEMORY;
    if (m.of_entry && m.plain && m.head) status = make_all(world, &m, err);
    ergi_memory_free(m.of_entry);
    ergi_memory_free(m.plain);
    ergi_memory_free(m.head);
    ergi_memory_free(m.link);
    pbd->coloured = status == ERG_OK;
    return status;
}
