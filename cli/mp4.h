// Whether a film is whole. ffmpeg may exit 0 although the disk was full, so the file is looked at.
#ifndef ERG_CLI_MP4_H
#define ERG_CLI_MP4_H

#include "erg/erg.h"

// An MP4 file is a row of boxes, each with its length and a name of four letters (ISO/IEC 14496-12,
// 4.2). Whole means: they end where the file does, and the index (moov) and pictures (mdat) are
// among them. ERG_IO with the reason otherwise. Waits until the file is on the disk.
erg_status cli_mp4_check(const char *path, erg_error *err);

#endif
