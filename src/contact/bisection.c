#include "contact/bisection.h"

#include <math.h>

enum {
    FEW = 16, // too few to split: they are close to each other
    SAMPLES = 128
};

// From samples, so that single distant grains rarely matter.
static int widest_axis(const ergi_bisection_item *item, size_t count)
{
    size_t n = count < SAMPLES ? count : SAMPLES;
    float  mean[3] = {0}, away[3] = {0};
    for (size_t k = 0; k < n; k++)
        for (int a = 0; a < 3; a++) mean[a] += item[count * k / n].x[a] / (float)n;
    for (size_t k = 0; k < n; k++)
        for (int a = 0; a < 3; a++) away[a] += fabsf(item[count * k / n].x[a] - mean[a]);
    return away[0] >= away[1] && away[0] >= away[2] ? 0 : away[1] >= away[2] ? 1 : 2;
}

// Moves the `part` lowest items along the axis to the front (Hoare's quickselect).
static void select_first(ergi_bisection_item *item, size_t count, size_t part, int axis)
{
    ptrdiff_t rank = (ptrdiff_t)part;
    for (ptrdiff_t low = 0, high = (ptrdiff_t)count - 1; low < high;) {
        float     pivot = item[(low + high) / 2].x[axis];
        ptrdiff_t i = low, j = high;
        while (i <= j) {
            while (item[i].x[axis] < pivot) i++;
            while (item[j].x[axis] > pivot) j--;
            if (i > j) break;
            ergi_bisection_item other = item[i];
            item[i++] = item[j];
            item[j--] = other;
        }
        if (rank <= j)
            high = j;
        else if (rank >= i)
            low = i;
        else
            return;
    }
}

size_t ergi_bisection_middle(size_t count, size_t chunk)
{
    return count > chunk ? (count + chunk - 1) / chunk / 2 * chunk : count / 2;
}

void ergi_bisection_sort(ergi_bisection_item *item, size_t count, size_t chunk)
{
    if (count <= FEW) return;
    size_t half = ergi_bisection_middle(count, chunk);
    select_first(item, count, half, widest_axis(item, count));
    ergi_bisection_sort(item, half, chunk);
    ergi_bisection_sort(item + half, count - half, chunk);
}

// Relative to the first position, where single precision is most accurate.
static ergi_bisection_item item_of(const double *position, const double *first, uint32_t number)
{
    ergi_bisection_item item = {.number = number};
    for (int a = 0; a < 3; a++) {
        double x = position[a] - first[a];
        item.x[a] = isfinite(x) ? (float)x : 0;
    }
    return item;
}

size_t ergi_bisection_order(const double *position, size_t count, const uint8_t *leaves,
                            size_t chunk, ergi_bisection_item *item, uint32_t *order)
{
    size_t stay = 0;
    for (size_t i = 0; i < count; i++)
        if (!leaves || !leaves[i]) item[stay++] = item_of(position + 4 * i, position, (uint32_t)i);
    ergi_bisection_sort(item, stay, chunk);
    for (size_t i = 0; i < stay; i++) order[i] = item[i].number;
    return stay;
}
