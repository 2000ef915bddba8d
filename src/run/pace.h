// Speed of a run and estimate of its remaining time. Wall time only: no result depends on it.
#ifndef ERGI_PACE_H
#define ERGI_PACE_H

typedef struct ergi_pace {
    double started;         // wall clock at the start [s]
    double mark, mark_time; // wall clock and simulated time of the last measurement [s]
    double rate;            // simulated over wall time, smoothed; 0 while unknown
} ergi_pace;

ergi_pace ergi_pace_begin(double time);
void      ergi_pace_update(ergi_pace *pace, double time);
double    ergi_pace_wall(const ergi_pace *pace);                         // since the start [s]
double    ergi_pace_factor(const ergi_pace *pace);                       // NAN while unknown
double    ergi_pace_eta(const ergi_pace *pace, double time, double end); // NAN while unknown [s]

#endif
