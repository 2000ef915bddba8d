#include "io/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// printf and strtod follow the locale of the host program. Replaces its decimal separator (a comma,
// or an Arabic separator of two bytes) by a point.
static void use_point(char *text)
{
    static const char plain[] = "0123456789+-e";
    size_t            before = strspn(text, plain);
    size_t            between = strcspn(text + before, plain);
    if (between == 0) return;
    text[before] = '.';
    memmove(text + before + 1, text + before + between, strlen(text + before + between) + 1);
}

const char *ergi_number(double value, char text[ERGI_NUMBER_ROOM])
{
    if (isnan(value)) return strcpy(text, "nan");
    if (isinf(value)) return strcpy(text, value < 0 ? "-inf" : "inf");
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, ERGI_NUMBER_ROOM, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    use_point(text);
    return text;
}
