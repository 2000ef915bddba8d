// Range of the colours of a quantity, and the round numbers of its legend.
#ifndef ERGI_RANGE_H
#define ERGI_RANGE_H

#include "draw/picture.h"

// Sets low and high of the picture from its values (`count` of them, in any order).
erg_status ergi_picture_set_range(erg_picture *p, size_t count, erg_error *err);

// Values of rank `low` and `high` (from 0) among `count`; changes the order.
void ergi_ranks(double *value, size_t count, size_t low, size_t high, double at[2]);

enum { ERGI_TICKS = 9 };

// Numbers for a legend: multiples of 1, 2 or 5 times a power of ten, within the ends. `whole`: no
// fractions. Returns how many there are; 1 when both ends are the same.
int ergi_range_ticks(double low, double high, bool whole, double tick[ERGI_TICKS]);

#endif
