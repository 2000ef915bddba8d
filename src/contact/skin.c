#include "contact/skin.h"

#include <math.h>

#define BUILD_COST 40     // of new lists, in steps' work on the candidates of a thin list
#define LONGEST_LIFE 8192 // steps

// Mean skin when lists are to live so many steps.
static double mean_skin(const float *speed, size_t count, double interval, double least,
                        double most)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += fmin(least + interval * (double)speed[i], most);
    return sum / (double)count;
}

// The life at which lists are cheapest: a build over its life, and candidates, whose number goes
// with the cube of the distance up to which they are listed. It follows from the state alone, not
// from the clock, so that the same run gives the same lists.
static double choose_life(const ergi_skin *skin, const float *speed, size_t count)
{
    double d = skin->diameter, least = skin->least, most = skin->most, best = INFINITY, chosen = 1,
           fastest = 0;
    for (size_t i = 0; i < count; i++) fastest = fmax(fastest, (double)speed[i]);
    for (double life = 4; life <= LONGEST_LIFE; life *= 2) {
        double interval = life * skin->dt;
        double mean = mean_skin(speed, count, interval, least, most);
        double lives = fmin(life, (most - least) / fmax(fastest * skin->dt, 1e-300));
        double cost = BUILD_COST / lives + pow(1 + 2 * mean / d, 3);
        if (cost < best) {
            best = cost;
            chosen = life;
        }
    }
    return chosen;
}

double ergi_skin_choose(const ergi_skin *skin, float *sphere_skin, size_t count)
{
    double interval = choose_life(skin, sphere_skin, count) * skin->dt, sum = 0;
    for (size_t i = 0; i < count; i++) {
        sphere_skin[i] = (float)fmin(skin->least + interval * (double)sphere_skin[i], skin->most);
        sum += (double)sphere_skin[i];
    }
    return count ? sum / (double)count : 0;
}
