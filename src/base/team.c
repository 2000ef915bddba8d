#include "base/team.h"

#include "base/clock.h"

#define TRIAL_STEPS 40     // rebuilds are rare and dear: a trial must hold some
#define TRIAL_SECONDS 0.02 // [s]
#define SETTLED 2.0        // until the next trial [s]

enum { ALL, ONE, CHOSEN };

ergi_team ergi_team_make(int most, bool fixed)
{
    return (ergi_team){.most = most, .count = most, .fixed = fixed, .since = ergi_clock_seconds()};
}

static void begin(ergi_team *team, int trial, int count, double now)
{
    team->trial = trial;
    team->count = count;
    team->steps = 0;
    team->since = now;
}

void ergi_team_step(ergi_team *team)
{
    if (team->fixed || team->most < 2) return;
    if (team->count == 1)
        team->alone++;
    else
        team->together++;
    team->steps++;
    if (team->trial == CHOSEN && team->steps % 16) return; // the clock need not be read every time
    double now = ergi_clock_seconds(), spent = now - team->since;
    if (team->trial == CHOSEN) {
        if (spent > SETTLED) begin(team, ALL, team->most, now);
        return;
    }
    if (team->steps < TRIAL_STEPS || spent < TRIAL_SECONDS) return;
    team->cost[team->trial] = spent / team->steps;
    if (team->trial == ALL)
        begin(team, ONE, 1, now);
    else
        begin(team, CHOSEN, team->cost[ONE] < team->cost[ALL] ? 1 : team->most, now);
}

int ergi_team_mostly(const ergi_team *team)
{
    return team->alone > team->together ? 1 : team->most;
}
