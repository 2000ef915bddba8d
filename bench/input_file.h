// Input files for other programs, and parsing of their output.
#ifndef ERG_BENCH_INPUT_FILE_H
#define ERG_BENCH_INPUT_FILE_H

#include "peer.h"

#include <stdio.h>

// Returns NULL and fills err if it cannot be opened; input_end closes it and reports write errors.
FILE      *input_begin(const char *folder, const char *name, erg_error *err);
erg_status input_end(FILE *file, const char *folder, erg_error *err);

// Makes the folder in the cache for this code and this state. Other states, even with the same
// number of grains, have other folders.
erg_status input_folder(char folder[4200], const char *cache, const char *code, const peer_state *s,
                        erg_error *err);

// A whole file of the folder as text, which the caller frees; NULL if there is none.
char *output_text(const char *folder, const char *name);

// The number in the last line that begins with `words`, after them; nan if there is none.
double output_number(const char *text, const char *words);

// The difference between the last two such numbers, or the number itself if there is only one:
// counters continue from run to run.
double output_gain(const char *text, const char *words);

#endif
