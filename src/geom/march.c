#include "geom/march.h"

#include "base/hash.h"
#include "base/memory.h"

// ---- Vertices on lattice edges, hashed so that each is made once -------------------------------
static size_t slot_of(const ergi_march *m, uint64_t key)
{
    size_t slot = (size_t)ergi_mix64(key) & (m->slots - 1);
    while (m->key[slot] != 0 && m->key[slot] != key) slot = (slot + 1) & (m->slots - 1);
    return slot;
}

static erg_status grow(ergi_march *m, erg_error *err)
{
    ergi_march old = *m;
    size_t     slots = old.slots ? 2 * old.slots : 1024;
    uint64_t  *key = ergi_memory_new(slots, sizeof *key, "a marched surface", err);
    uint32_t  *vertex = ergi_memory_new(slots, sizeof *vertex, "a marched surface", err);
    if (!key || !vertex) {
        ergi_memory_free(key);
        ergi_memory_free(vertex);
        return ERG_NO_MEMORY;
    }
    m->slots = slots;
    m->key = key;
    m->vertex = vertex;
    for (size_t i = 0; i < old.slots; i++)
        if (old.key[i]) {
            size_t slot = slot_of(m, old.key[i]);
            m->key[slot] = old.key[i];
            m->vertex[slot] = old.vertex[i];
        }
    ergi_memory_free(old.key);
    ergi_memory_free(old.vertex);
    return ERG_OK;
}

typedef struct cube {
    int           i, j, k;
    const double *value;
} cube;

static erg_vec3 corner_position(const ergi_march *m, const cube *c, int corner)
{
    double h = m->spacing;
    return ergi_vec3(m->origin.x + h * (c->i + (corner & 1)),
                     m->origin.y + h * (c->j + (corner >> 1 & 1)),
                     m->origin.z + h * (c->k + (corner >> 2)));
}

// Minimum distance of a vertex from the ends of its lattice edge, as a fraction of the edge.
static const double MARGIN = 0.05;

// Vertex where the surface cuts the edge between two corners. On every edge of the six tetrahedra
// the bits of one corner are a subset of the other's, so the lower corner and the difference
// identify the edge.
static erg_status cut(ergi_march *m, const cube *c, int a, int b, uint32_t *vertex, erg_error *err)
{
    int low = a < b ? a : b, high = a < b ? b : a;
    if (2 * (m->mesh.vertices + 1) > m->slots) {
        erg_status status = grow(m, err);
        if (status != ERG_OK) return status;
    }
    uint64_t x = (uint64_t)(c->i + (low & 1)), y = (uint64_t)(c->j + (low >> 1 & 1));
    uint64_t z = (uint64_t)(c->k + (low >> 2));
    uint64_t key = ((x << 20 | y) << 20 | z) << 3 | (uint64_t)(low ^ high); // never 0
    size_t   slot = slot_of(m, key);
    if (m->key[slot] == 0) {
        double from = c->value[low] - m->level, to = c->value[high] - m->level;
        double t = from / (from - to);
        t = t < MARGIN ? MARGIN : t > 1.0 - MARGIN ? 1.0 - MARGIN : t;
        erg_vec3   p = corner_position(m, c, low), q = corner_position(m, c, high);
        erg_status status = ergi_mesh_add_vertex(&m->mesh, ergi_madd(p, t, ergi_sub(q, p)), err);
        if (status != ERG_OK) return status;
        m->key[slot] = key;
        m->vertex[slot] = (uint32_t)(m->mesh.vertices - 1);
    }
    *vertex = m->vertex[slot];
    return ERG_OK;
}

// ---- Tetrahedra --------------------------------------------------------------------------------
// Six paths from corner 0 to corner 7, one axis at a time; all have positive volume as listed.
static const unsigned char TETRAHEDRA[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                                               {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};

// Orders the four corners with the inner ones (below the level) first and positive volume.
static int inner_first(const unsigned char t[4], const double value[8], double level, int out[4])
{
    int inner = 0, order[4], n = 0, places[4];
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < 4; i++)
            if ((value[t[i]] < level) == (pass == 0)) {
                places[n] = i;
                order[n++] = t[i];
                inner += pass == 0;
            }
    int swaps = 0; // parity of the permutation
    for (int i = 0; i < 4; i++)
        for (int j = i + 1; j < 4; j++) swaps += places[i] > places[j];
    for (int i = 0; i < 4; i++) out[i] = order[i];
    if (swaps % 2) { // swap two corners on the same side
        int at = inner >= 2 ? 0 : 2;
        out[at] = order[at + 1];
        out[at + 1] = order[at];
    }
    return inner;
}

static erg_status march_tetrahedron(ergi_march *m, const cube *c, const unsigned char t[4],
                                    erg_error *err)
{
    // Cut edges, counter-clockwise seen from outside.
    static const unsigned char ONE[3][2] = {{0, 1}, {0, 2}, {0, 3}};
    static const unsigned char TWO[4][2] = {{0, 2}, {0, 3}, {1, 3}, {1, 2}};
    static const unsigned char THREE[3][2] = {{0, 3}, {1, 3}, {2, 3}};
    int                        p[4], inner = inner_first(t, c->value, m->level, p);
    if (inner == 0 || inner == 4) return ERG_OK;
    const unsigned char(*edge)[2] = inner == 1 ? ONE : inner == 2 ? TWO : THREE;
    int        corners = inner == 2 ? 4 : 3;
    uint32_t   v[4];
    erg_status status = ERG_OK;
    for (int i = 0; i < corners && status == ERG_OK; i++)
        status = cut(m, c, p[edge[i][0]], p[edge[i][1]], &v[i], err);
    if (status == ERG_OK) status = ergi_mesh_add_triangle(&m->mesh, v[0], v[1], v[2], err);
    if (status == ERG_OK && corners == 4)
        status = ergi_mesh_add_triangle(&m->mesh, v[0], v[2], v[3], err);
    return status;
}

erg_status ergi_march_cube(ergi_march *march, int i, int j, int k, const double value[8],
                           erg_error *err)
{
    cube       c = {i, j, k, value};
    int        below = 0;
    erg_status status = ERG_OK;
    for (int a = 0; a < 8; a++) below += value[a] < march->level;
    if (below == 0 || below == 8) return ERG_OK;
    for (int t = 0; t < 6 && status == ERG_OK; t++)
        status = march_tetrahedron(march, &c, TETRAHEDRA[t], err);
    return status;
}

void ergi_march_free(ergi_march *march)
{
    ergi_mesh_free(&march->mesh);
    ergi_memory_free(march->key);
    ergi_memory_free(march->vertex);
    *march = (ergi_march){0};
}
