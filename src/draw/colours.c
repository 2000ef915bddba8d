#include "draw/colours.h"

#include "base/hash.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

// Rounded to the nearest. Comparisons, since pictures of a million particles call this a lot.
static uint32_t byte_of(double share)
{
    double inside = share > 0 ? (share < 1 ? share : 1) : 0;
    return (uint32_t)(255.0 * inside + 0.5);
}

uint32_t ergi_colour_pack(double red, double green, double blue, double alpha)
{
    const uint8_t bytes[4] = {(uint8_t)byte_of(red), (uint8_t)byte_of(green),
                              (uint8_t)byte_of(blue), (uint8_t)byte_of(alpha)};
    uint32_t      packed;
    memcpy(&packed, bytes, 4);
    return packed;
}

uint32_t ergi_colour_mix(uint32_t a, uint32_t b, double share)
{
    uint8_t from[4], to[4];
    memcpy(from, &a, 4);
    memcpy(to, &b, 4);
    double c[4];
    for (int k = 0; k < 4; k++) c[k] = (from[k] + share * (to[k] - from[k])) / 255.0;
    return ergi_colour_pack(c[0], c[1], c[2], c[3]);
}

// ---- Grains ------------------------------------------------------------------------------------
// Beach sand under a lens: mostly clear to honey-coloured quartz and feldspar, some brown grains
// coated with iron, a few dark minerals. `upto`: cumulative share.
typedef struct tint {
    double upto, red, green, blue;
} tint;

static const tint SAND[] = {{0.34, 0.86, 0.77, 0.62}, {0.66, 0.81, 0.69, 0.52},
                            {0.86, 0.75, 0.61, 0.43}, {0.94, 0.66, 0.51, 0.36},
                            {0.97, 0.47, 0.40, 0.34}, {1.00, 0.91, 0.88, 0.82}};
static const tint CLAY[] = {
    {0.40, 0.66, 0.30, 0.20}, {0.80, 0.56, 0.24, 0.17}, {1.00, 0.74, 0.40, 0.29}};
static const tint SLATE[] = {
    {0.45, 0.40, 0.46, 0.52}, {0.85, 0.32, 0.37, 0.43}, {1.00, 0.52, 0.57, 0.61}};
static const tint MOSS[] = {
    {0.50, 0.46, 0.50, 0.32}, {0.85, 0.38, 0.43, 0.27}, {1.00, 0.58, 0.60, 0.42}};
static const struct palette {
    const tint *tints;
    int         count;
} PALETTES[] = {{SAND, 6}, {CLAY, 3}, {SLATE, 3}, {MOSS, 3}};
enum { PALETTE_COUNT = sizeof PALETTES / sizeof *PALETTES };

uint32_t ergi_colour_grain(int rank, erg_gid grain)
{
    const struct palette *palette = &PALETTES[rank % PALETTE_COUNT];
    uint64_t              h = ergi_mix64(grain + 0x5eedu);
    double                pick = (double)(h & 0xffff) / 65536.0;
    double                light = 0.92 + 0.16 * (double)(h >> 16 & 0xffff) / 65536.0;
    double                warm = 0.03 * ((double)(h >> 32 & 0xffff) / 65536.0 - 0.5);
    int                   i = 0; // counted, as a jump out of the loop could not be predicted
    for (int k = 0; k + 1 < palette->count; k++) i += pick >= palette->tints[k].upto;
    const tint *t = &palette->tints[i];
    return ergi_colour_pack(light * (t->red + warm), light * t->green, light * (t->blue - warm), 1);
}

int ergi_colour_tints(int rank, float out[ERGI_TINTS][4], float mean[3])
{
    const struct palette *palette = &PALETTES[rank % PALETTE_COUNT];
    double                before = 0;
    for (int k = 0; k < 3; k++) mean[k] = 0;
    for (int i = 0; i < palette->count; i++) {
        const tint  *t = &palette->tints[i];
        const double part[4] = {t->red, t->green, t->blue, t->upto};
        for (int k = 0; k < 4; k++) out[i][k] = (float)part[k];
        for (int k = 0; k < 3; k++) mean[k] += (float)((t->upto - before) * part[k]);
        before = t->upto;
    }
    return palette->count;
}

// Red as a cricket ball, visible in any sand.
uint32_t ergi_colour_thrown_ball(void)
{
    return ergi_colour_pack(0.62, 0.12, 0.10, 1);
}

// ---- Walls -------------------------------------------------------------------------------------
static bool contains(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (; *text; text++) {
        size_t k = 0;
        while (k < length && text[k] && tolower((unsigned char)text[k]) == word[k]) k++;
        if (k == length) return true;
    }
    return false;
}

bool ergi_is_glass(const char *material)
{
    return contains(material, "glass") || contains(material, "acryl");
}

uint32_t ergi_colour_wall(const char *material, uint32_t jitter)
{
    static const struct {
        const char *word;
        double      red, green, blue;
    } known[] = {
        {"steel", 0.60, 0.63, 0.66},  {"metal", 0.60, 0.63, 0.66},    {"iron", 0.60, 0.63, 0.66},
        {"alum", 0.60, 0.63, 0.66},   {"brass", 0.76, 0.62, 0.34},    {"copper", 0.72, 0.46, 0.34},
        {"wood", 0.66, 0.50, 0.34},   {"sand", 0.69, 0.66, 0.61},     {"rock", 0.69, 0.66, 0.61},
        {"stone", 0.60, 0.58, 0.55},  {"concrete", 0.63, 0.62, 0.60}, {"brick", 0.62, 0.34, 0.25},
        {"rubber", 0.17, 0.17, 0.18}, {"red", 0.68, 0.17, 0.13},      {"yellow", 0.86, 0.66, 0.16},
        {"green", 0.27, 0.48, 0.30},  {"blue", 0.20, 0.36, 0.58}};
    double light = jitter ? 0.93 + 0.14 * (double)(jitter & 0xff) / 255.0 : 1.0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (contains(material, known[i].word))
            return ergi_colour_pack(light * known[i].red, light * known[i].green,
                                    light * known[i].blue, 1);
    return ergi_colour_pack(light * 0.74, light * 0.74, light * 0.73, 1);
}

// ---- Scalar values -----------------------------------------------------------------------------
// From dark blue over green to light yellow. Brightness increases monotonically and evenly, so the
// ramp also works in greyscale.
static const double RAMP[][3] = {{0.24, 0.20, 0.47}, {0.20, 0.35, 0.59}, {0.12, 0.47, 0.56},
                                 {0.19, 0.63, 0.49}, {0.52, 0.77, 0.33}, {0.97, 0.90, 0.36}};
enum { RAMP_STEPS = sizeof RAMP / sizeof *RAMP - 1 };

uint32_t ergi_colour_number(erg_colour_by by, double share)
{
    (void)by; // one ramp for all quantities
    double at = fmin(fmax(share, 0.0), 1.0) * RAMP_STEPS;
    if (!(at >= 0.0)) at = 0.0;
    int    step = (int)fmin(floor(at), RAMP_STEPS - 1);
    double f = at - step, c[3];
    for (int k = 0; k < 3; k++) c[k] = RAMP[step][k] + f * (RAMP[step + 1][k] - RAMP[step][k]);
    return ergi_colour_pack(c[0], c[1], c[2], 1);
}

void erg_colour_at(erg_colour_by by, double share, uint8_t rgb[3])
{
    if (!rgb) return;
    uint32_t packed = ergi_colour_number(by, share);
    memcpy(rgb, &packed, 3);
}
