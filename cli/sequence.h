// File names of pictures, optionally numbered: 'frames/%04d.png' is a sequence.
#ifndef ERG_CLI_SEQUENCE_H
#define ERG_CLI_SEQUENCE_H

#include "erg/erg.h"

// Reads the file name of a path like a printf format: one %d, with or without a width such as %04d,
// is replaced by the number; %% is a percent sign. An existing folder is taken literally; one that
// does not exist must not contain a number. False: the name is invalid, and the error has been
// printed.
bool cli_sequence_read(const char *path, bool *numbered);

// The name of picture `number`. False: it is too long.
bool cli_sequence_name(const char *path, size_t number, char *name, size_t room);

// Creates the folder for the pictures, and its parents.
erg_status cli_sequence_folder(const char *path, erg_error *err);

#endif
