// Checks that a film is complete: ffmpeg may exit 0 although the disk was full.
#ifndef ERG_CLI_MP4_H
#define ERG_CLI_MP4_H

#include "erg/erg.h"

// An MP4 file is a sequence of boxes, each with its length and a name of four letters (ISO/IEC
// 14496-12, 4.2). It is complete if the boxes end where the file does and include the index (moov)
// and the pictures (mdat); otherwise ERG_IO with the reason. Blocks until the file is on disk.
erg_status cli_mp4_check(const char *path, erg_error *err);

#endif
