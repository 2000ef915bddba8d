#include "terrain/sand.h"

enum { WIDEST = 2 }; // columns on each side of those under a grain that give sand, too

// Whether the columns have so much. Their sum may pass 64 bits.
static bool have_sand(const ergi_columns *c, ergi_column_range r, uint64_t quanta)
{
    const uint64_t *height = ergi_columns_height(c);
    uint64_t        missing = quanta;
    for (int32_t j = r.j0; j <= r.j1; j++)
        for (int32_t i = r.i0; i <= r.i1; i++) {
            uint64_t has = height[ergi_columns_row(c, i, j)];
            if (has >= missing) return true;
            missing -= has;
        }
    return false;
}

static void take_from(ergi_columns *c, ergi_column_range r, uint64_t quanta)
{
    uint64_t *height = ergi_columns_height(c);
    uint64_t  columns = (uint64_t)(r.i1 - r.i0 + 1) * (uint64_t)(r.j1 - r.j0 + 1);
    for (uint64_t left = quanta, part = quanta / columns + 1; left > 0;)
        for (int32_t j = r.j0; j <= r.j1; j++)
            for (int32_t i = r.i0; i <= r.i1; i++) {
                size_t   row = ergi_columns_row(c, i, j);
                uint64_t take = part < left ? part : left;
                if (take > height[row]) take = height[row];
                if (take == 0) continue;
                ergi_columns_mark(c, row, false);
                height[row] -= take;
                left -= take;
            }
}

bool ergi_sand_take(ergi_columns *c, const double s[4], uint64_t quanta)
{
    for (int wider = 0; wider <= WIDEST; wider++) {
        double            a = s[3] + wider * c->spacing;
        ergi_column_range r = ergi_columns_in(c, s[0] - a, s[0] + a, s[1] - a, s[1] + a);
        if (!have_sand(c, r, quanta)) continue;
        take_from(c, r, quanta);
        return true;
    }
    return false;
}

void ergi_sand_give(ergi_columns *c, const double s[4], uint64_t quanta)
{
    uint64_t         *height = ergi_columns_height(c);
    ergi_column_range r = ergi_columns_under(c, s);
    uint64_t          columns = (uint64_t)(r.i1 - r.i0 + 1) * (uint64_t)(r.j1 - r.j0 + 1);
    uint64_t          part = quanta / columns;
    for (int32_t j = r.j0; j <= r.j1; j++)
        for (int32_t i = r.i0; i <= r.i1; i++) {
            size_t row = ergi_columns_row(c, i, j);
            ergi_columns_mark(c, row, false);
            height[row] += part;
        }
    height[ergi_columns_row(c, r.i0, r.j0)] += quanta - part * columns;
}
