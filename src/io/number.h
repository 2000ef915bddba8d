// Numbers as text, the same on every machine and in every locale.
#ifndef ERGI_NUMBER_H
#define ERGI_NUMBER_H

#define ERGI_NUMBER_ROOM 32

// Writes the number with the fewest of 15, 16 or 17 digits that read back as the same bits:
// 0.1, -2.5e-07, 1e+300, nan, inf, -inf. Returns `text`.
const char *ergi_number(double value, char text[ERGI_NUMBER_ROOM]);

#endif
