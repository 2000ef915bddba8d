// Colours of sand, of walls and of numbers.
#ifndef ERGI_COLOURS_H
#define ERGI_COLOURS_H

#include "erg/draw.h"

// Bytes red, green, blue, alpha in the order of memory.
uint32_t ergi_colour_pack(double red, double green, double blue, double alpha); // 0 to 1

// Of a grain: `rank` counts the materials of grains from 0, the first being sand.
uint32_t ergi_colour_grain(int rank, erg_gid grain);
uint32_t ergi_colour_ball(void);                                  // that somebody threw in
uint32_t ergi_colour_wall(const char *material, uint32_t jitter); // jitter 0: the plain colour
uint32_t ergi_colour_number(erg_colour_by by, double share);
uint32_t ergi_colour_mix(uint32_t a, uint32_t b, double share); // 0: a

bool ergi_is_glass(const char *material); // by its name

#endif
