// Files that other programs read, and the words they leave.
#ifndef ERG_BENCH_INPUT_FILE_H
#define ERG_BENCH_INPUT_FILE_H

#include "peer.h"

#include <stdio.h>

// NULL with err filled when it cannot be opened; input_end closes and says whether all was written.
FILE      *input_begin(const char *folder, const char *name, erg_error *err);
erg_status input_end(FILE *file, const char *folder, erg_error *err);

// Makes a folder in the cache for what this code keeps of this state: another state, even if of as
// many grains, has another.
erg_status input_folder(char folder[4200], const char *cache, const char *code, const peer_state *s,
                        erg_error *err);

// A whole file of the folder as text, to be freed; NULL when there is none.
char *output_text(const char *folder, const char *name);

// The number behind the last line that begins with the words; nan when there is none.
double output_number(const char *text, const char *words);

// By how much the number behind the last such line is above that of the one before, or above 0 when
// there is but one: counts go on from run to run.
double output_gain(const char *text, const char *words);

#endif
