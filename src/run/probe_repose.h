// Angle of repose of a heap: the slope of its flank, insensitive to grains in flight, the stream
// that pours it, a rounded foot and a flat top.
//
//        top ---.__              the heap is divided, seen from above, into rings around the axis,
//                  \ <- flank    and each ring into patches of about equal size; the height of a
//                   \   80 %     patch is that of its highest sphere, of a ring the median of its
//       base _______ \.__ 20 %   patches; the flank lies between 20 % and 80 % of the heap's height
//
// The slope is the median of the slopes between all pairs of rings (Theil, Nederl. Akad. Wetensch.
// Proc. 53 (1950) 386; Sen, J. Am. Stat. Assoc. 63 (1968) 1379).
#ifndef ERGI_PROBE_REPOSE_H
#define ERGI_PROBE_REPOSE_H

#include "erg/base.h"

// `centre` holds 3 numbers per sphere. `up` is a unit vector along the axis of the heap. `degrees`
// is NAN if there is no heap to measure.
erg_status ergi_repose_angle(const double *centre, const double *radius, size_t count,
                             erg_vec3 point, erg_vec3 up, double *degrees, erg_error *err);

#endif
