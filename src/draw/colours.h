// Colours of sand, walls and scalar values.
#ifndef ERGI_COLOURS_H
#define ERGI_COLOURS_H

#include "erg/draw.h"

enum { ERGI_TINTS = 6 }; // of a palette, at most

// Bytes in memory order: red, green, blue, alpha.
uint32_t ergi_colour_pack(double red, double green, double blue, double alpha); // 0 to 1

// `rank`: index of the grain material, from 0 (sand).
uint32_t ergi_colour_grain(int rank, erg_gid grain);
// The colours of these grains: red, green, blue, and the share of grains up to this one; their
// number, and the mean of all.
int      ergi_colour_tints(int rank, float tint[ERGI_TINTS][4], float mean[3]);
uint32_t ergi_colour_thrown_ball(void);                           // a ball that the user threw in
uint32_t ergi_colour_wall(const char *material, uint32_t jitter); // jitter 0: no variation
uint32_t ergi_colour_number(erg_colour_by by, double share);
uint32_t ergi_colour_mix(uint32_t a, uint32_t b, double share); // 0: a

bool ergi_is_glass(const char *material); // by its name

#endif
