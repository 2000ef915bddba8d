#include "base/thread_tuning.h"

#include "base/clock.h"

#define TRIAL_STEPS 40     // rebuilds are rare and expensive: a trial must include some
#define TRIAL_SECONDS 0.02 // [s]
#define TRIAL_EVERY 2.0    // from a choice to the next trial [s]

enum { ALL, ONE, CHOSEN };

ergi_thread_tuning ergi_thread_tuning_make(int most, bool fixed)
{
    return (ergi_thread_tuning){
        .most = most, .count = most, .fixed = fixed, .since = ergi_clock_seconds()};
}

static void begin(ergi_thread_tuning *tuning, int trial, int count, double now)
{
    tuning->trial = trial;
    tuning->count = count;
    tuning->steps = 0;
    tuning->since = now;
}

void ergi_thread_tuning_step(ergi_thread_tuning *tuning)
{
    if (tuning->fixed || tuning->most < 2) return;
    if (tuning->count == 1)
        tuning->alone++;
    else
        tuning->together++;
    tuning->steps++;
    if (tuning->trial == CHOSEN && tuning->steps % 16)
        return; // reading the clock every 16 steps is enough
    double now = ergi_clock_seconds(), spent = now - tuning->since;
    if (tuning->trial == CHOSEN) {
        if (spent > TRIAL_EVERY) begin(tuning, ALL, tuning->most, now);
        return;
    }
    if (tuning->steps < TRIAL_STEPS || spent < TRIAL_SECONDS) return;
    tuning->cost[tuning->trial] = spent / tuning->steps;
    if (tuning->trial == ALL)
        begin(tuning, ONE, 1, now);
    else
        begin(tuning, CHOSEN, tuning->cost[ONE] < tuning->cost[ALL] ? 1 : tuning->most, now);
}

int ergi_thread_tuning_most_used(const ergi_thread_tuning *tuning)
{
    return tuning->alone > tuning->together ? 1 : tuning->most;
}
