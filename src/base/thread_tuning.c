#include "base/thread_tuning.h"

#include "base/clock.h"

#define TRIAL_STEPS 40     // rebuilds are rare and expensive: a trial must include some
#define TRIAL_SECONDS 0.02 // [s]
#define REST_SECONDS 2.0   // from a choice to the next trial, at least [s]
#define REST_TRIALS 50     // in lengths of a trial, so that trials of large worlds cost at most 2 %

ergi_thread_tuning ergi_thread_tuning_make(int most, bool fixed)
{
    return (ergi_thread_tuning){
        .most = most, .count = most, .fixed = fixed, .since = ergi_clock_seconds()};
}

static void begin(ergi_thread_tuning *tuning, ergi_thread_trial trial, int count, double now)
{
    tuning->trial = trial;
    tuning->count = count;
    tuning->steps = 0;
    tuning->since = now;
}

static int other(const ergi_thread_tuning *tuning)
{
    return tuning->count == 1 ? tuning->most : 1;
}

// The other number has as long as the one in use had; it has won if it took fewer seconds per step.
static void end_trial(ergi_thread_tuning *tuning, double spent, double now)
{
    bool   wins = spent * tuning->current_steps < tuning->current_time * tuning->steps;
    double rest = REST_TRIALS * tuning->current_time;
    tuning->rest = rest > REST_SECONDS ? rest : REST_SECONDS;
    begin(tuning, ERGI_TRIAL_NONE, wins ? tuning->count : other(tuning), now);
}

void ergi_thread_tuning_step_at(ergi_thread_tuning *tuning, double now)
{
    double spent = now - tuning->since;
    switch (tuning->trial) {
    case ERGI_TRIAL_NONE:
        if (spent > tuning->rest) begin(tuning, ERGI_TRIAL_OF_CURRENT, tuning->count, now);
        break;
    case ERGI_TRIAL_OF_CURRENT:
        if (tuning->steps < TRIAL_STEPS || spent < TRIAL_SECONDS) break;
        tuning->current_steps = tuning->steps;
        tuning->current_time = spent;
        begin(tuning, ERGI_TRIAL_OF_OTHER, other(tuning), now);
        break;
    case ERGI_TRIAL_OF_OTHER:
        if (tuning->steps >= tuning->current_steps || spent >= tuning->current_time)
            end_trial(tuning, spent, now);
        break;
    }
}

void ergi_thread_tuning_step(ergi_thread_tuning *tuning)
{
    if (tuning->fixed || tuning->most < 2) return;
    if (tuning->count == 1)
        tuning->alone++;
    else
        tuning->together++;
    tuning->steps++;
    if (tuning->trial == ERGI_TRIAL_NONE && tuning->steps % 16)
        return; // reading the clock every 16 steps is enough
    ergi_thread_tuning_step_at(tuning, ergi_clock_seconds());
}

int ergi_thread_tuning_most_used(const ergi_thread_tuning *tuning)
{
    return tuning->alone > tuning->together ? 1 : tuning->most;
}
