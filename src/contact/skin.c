#include "contact/skin.h"

#include <math.h>

#define LONGEST_LIFE 8192 // steps

// Mean skin if the lists live for `interval` [s].
static double mean_skin(const float *speed, size_t count, double interval, double least,
                        double most)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += fmin(least + interval * (double)speed[i], most);
    return sum / (double)count;
}

// The life of the lists [steps] with the lowest cost per step: a rebuild divided by its life, plus
// the candidates, whose number grows with the cube of the distance up to which they are listed.
static double choose_life(const ergi_skin *skin, const float *speed, size_t count)
{
    double d = skin->diameter, least = skin->least, most = skin->most, best = INFINITY, chosen = 1,
           fastest = 0;
    for (size_t i = 0; i < count; i++) fastest = fmax(fastest, (double)speed[i]);
    for (double life = 4; life <= LONGEST_LIFE; life *= 2) {
        double interval = life * skin->dt;
        double mean = mean_skin(speed, count, interval, least, most);
        double lives = fmin(life, (most - least) / fmax(fastest * skin->dt, 1e-300));
        double cost = skin->build_cost / lives + pow(1 + 2 * mean / d, 3);
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
