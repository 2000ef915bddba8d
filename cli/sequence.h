// Names of pictures, which may be numbered: 'frames/%04d.png' is a sequence.
#ifndef ERG_CLI_SEQUENCE_H
#define ERG_CLI_SEQUENCE_H

#include "erg/erg.h"

// Reads the file name of a path as printf would: one %d, with or without a width such as %04d, is
// where the number goes; %% is a percent sign. The name of a folder that exists is used as it
// is; one that does not exist must not contain a number. False: the name is invalid, and the error
// has been printed.
bool cli_sequence_read(const char *path, bool *numbered);

// The name of picture `number`. False: it is too long.
bool cli_sequence_name(const char *path, size_t number, char *name, size_t room);

// Creates the folder for the pictures, and those above it.
erg_status cli_sequence_folder(const char *path, erg_error *err);

#endif
