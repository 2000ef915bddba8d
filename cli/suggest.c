#include "suggest.h"

#include <stdbool.h>
#include <string.h>

enum { LONGEST = 40 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

// Damerau-Levenshtein distance: insertions, deletions, replacements and swaps of neighbours.
static int edit_distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    if (n > LONGEST || m > LONGEST) return LONGEST;
    int d[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= n; i++) d[i][0] = (int)i;
    for (size_t k = 0; k <= m; k++) d[0][k] = (int)k;
    for (size_t i = 1; i <= n; i++) {
        for (size_t k = 1; k <= m; k++) {
            int best = d[i - 1][k - 1] + (a[i - 1] != b[k - 1]);
            best = least(best, 1 + least(d[i - 1][k], d[i][k - 1]));
            bool swapped = i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1];
            d[i][k] = swapped ? least(best, d[i - 2][k - 2] + 1) : best;
        }
    }
    return d[n][m];
}

void cli_guess_offer(cli_guess *guess, const char *candidate)
{
    int distance = edit_distance(guess->word, candidate);
    int allowed = 1 + (int)strlen(guess->word) / 4;
    if (distance > allowed || (guess->best && distance >= guess->distance)) return;
    guess->best = candidate;
    guess->distance = distance;
}
