// Wall time, for progress and reports only: no result may depend on it.
#ifndef ERGI_CLOCK_H
#define ERGI_CLOCK_H

double ergi_clock_seconds(void); // since an arbitrary fixed time; monotonic [s]

#endif
