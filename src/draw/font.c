#include "draw/font.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Each glyph consists of polylines, separated by blanks; a point is two digits, x and y. The
// baseline is at y = 2, capitals reach up to 8, small letters to 6, descenders down to 0. A line
// with the same point twice is a dot.
typedef struct glyph {
    char        letter;
    int         width;
    const char *strokes;
} glyph;

static const glyph GLYPHS[] = {
    {' ', 2, ""},
    {'!', 0, "0804 0202"},
    {'"', 2, "0807 2827"},
    {'#', 4, "1812 3832 0646 0444"},
    {'%', 4, "0248 0717 3343"},
    {'\'', 0, "0807"},
    {'(', 1, "18070312"},
    {')', 1, "08171302"},
    {'*', 4, "2723 0644 0446"},
    {'+', 4, "0545 2723"},
    {',', 1, "1201"},
    {'-', 3, "0535"},
    {'.', 0, "0202"},
    {'/', 3, "0138"},
    {'0', 4, "183847433212030718"},
    {'1', 3, "172822"},
    {'2', 4, "07183847460242"},
    {'3', 4, "07183847463515 354443321203"},
    {'4', 4, "32380444"},
    {'5', 4, "480805354443321203"},
    {'6', 4, "4738180703123243443505"},
    {'7', 4, "084822"},
    {'8', 4, "15354647381807061504031232434435"},
    {'9', 4, "4515060718384743321203"},
    {':', 0, "0202 0505"},
    {';', 1, "1201 1515"},
    {'<', 3, "380532"},
    {'=', 3, "0636 0434"},
    {'>', 3, "083502"},
    {'?', 3, "07182837362524 2222"},
    {'A', 4, "022842 1434"},
    {'B', 4, "02083847463505 3544433202"},
    {'C', 4, "4738180703123243"},
    {'D', 4, "02082846442202"},
    {'E', 4, "48080242 0535"},
    {'F', 4, "480802 0535"},
    {'G', 4, "47381807031232434525"},
    {'H', 4, "0802 4842 0545"},
    {'I', 0, "0802"},
    {'J', 3, "3833221203"},
    {'K', 4, "0802 4804 1542"},
    {'L', 4, "080242"},
    {'M', 4, "0208254842"},
    {'N', 4, "02084248"},
    {'O', 4, "183847433212030718"},
    {'P', 4, "02083847463505"},
    {'Q', 4, "183847433212030718 2442"},
    {'R', 4, "02083847463505 2542"},
    {'S', 4, "473818070615354443321203"},
    {'T', 4, "0848 2822"},
    {'U', 4, "080312324348"},
    {'V', 4, "082248"},
    {'W', 4, "0812263248"},
    {'X', 4, "0842 4802"},
    {'Y', 4, "082548 2522"},
    {'Z', 4, "08480242"},
    {'[', 1, "18080212"},
    {']', 1, "08181202"},
    {'^', 4, "062846"},
    {'_', 4, "0141"},
    {'a', 3, "3632 3526160503122233"},
    {'b', 3, "0802 0516263533221203"},
    {'c', 3, "3526160503122233"},
    {'d', 3, "3832 3526160503122233"},
    {'e', 3, "04343526160503122233"},
    {'f', 2, "281712 0626"},
    {'g', 3, "3631201001 3526160503122233"},
    {'h', 3, "0802 0516263532"},
    {'i', 0, "0602 0808"},
    {'j', 1, "161100 1818"},
    {'k', 3, "0802 3604 1532"},
    {'l', 0, "0802"},
    {'m', 4, "0602 05162522 25364542"},
    {'n', 3, "0602 0516263532"},
    {'o', 3, "162635332212030516"},
    {'p', 3, "0600 0516263533221203"},
    {'q', 3, "3630 3526160503122233"},
    {'r', 2, "0602 051626"},
    {'s', 3, "35261605142433221203"},
    {'t', 2, "181322 0626"},
    {'u', 3, "0603122233 3632"},
    {'v', 4, "062246"},
    {'w', 4, "0612253246"},
    {'x', 3, "0632 3602"},
    {'y', 4, "0622 4610"},
    {'z', 3, "06360232"},
    {'|', 0, "0901"},
};
enum { GLYPH_COUNT = sizeof GLYPHS / sizeof *GLYPHS };

static const double GAP = 2.1;   // between letters
static const double PEN = 0.55;  // half the stroke width
static const double CAPITAL = 6; // height of capitals, in stroke units

// The glyph at *text, which advances past it; a UTF-8 sequence is one letter.
static const glyph *next_glyph(const char **text)
{
    char letter = **text;
    (*text)++;
    while (((unsigned char)**text & 0xc0) == 0x80) (*text)++;
    for (int i = 0; i < GLYPH_COUNT; i++)
        if (GLYPHS[i].letter == letter) return &GLYPHS[i];
    for (int i = 0; i < GLYPH_COUNT; i++)
        if (GLYPHS[i].letter == '?') return &GLYPHS[i];
    return &GLYPHS[0];
}

double ergi_font_width(const char *text, double size)
{
    double width = 0;
    while (*text) width += next_glyph(&text)->width + GAP;
    return width > 0 ? (width - GAP) * size / CAPITAL : 0;
}

static double distance(double x, double y, const double a[2], const double b[2])
{
    double dx = b[0] - a[0], dy = b[1] - a[1], length2 = dx * dx + dy * dy;
    double t = length2 > 0 ? ((x - a[0]) * dx + (y - a[1]) * dy) / length2 : 0;
    t = fmin(fmax(t, 0), 1);
    return hypot(x - a[0] - t * dx, y - a[1] - t * dy);
}

// Anti-aliased: blends each pixel by its coverage.
static void draw_stroke(ergi_image_rgba *image, const double a[2], const double b[2], double pen,
                        const uint8_t rgb[3])
{
    int x0 = (int)floor(fmin(a[0], b[0]) - pen - 1), x1 = (int)ceil(fmax(a[0], b[0]) + pen + 1);
    int y0 = (int)floor(fmin(a[1], b[1]) - pen - 1), y1 = (int)ceil(fmax(a[1], b[1]) + pen + 1);
    for (int y = y0 < 0 ? 0 : y0; y <= y1 && y < image->height; y++)
        for (int x = x0 < 0 ? 0 : x0; x <= x1 && x < image->width; x++) {
            double cover = fmin(fmax(pen + 0.5 - distance(x + 0.5, y + 0.5, a, b), 0), 1);
            if (!(cover > 0)) continue;
            uint8_t *pixel = image->rgba + 4 * ((size_t)y * (size_t)image->width + (size_t)x);
            double   below = pixel[3] / 255.0, sum = cover + below * (1 - cover);
            for (int k = 0; k < 3; k++)
                pixel[k] = (uint8_t)lround((cover * rgb[k] + below * (1 - cover) * pixel[k]) / sum);
            pixel[3] = (uint8_t)lround(255 * sum);
        }
}

void ergi_font_draw(ergi_image_rgba *image, double x, double y, double size, const char *text,
                    const uint8_t rgb[3])
{
    double unit = size / CAPITAL, pen = fmax(PEN * unit, 0.55);
    while (*text) {
        const glyph *g = next_glyph(&text);
        double       last[2] = {0, 0};
        bool         has_last = false;
        for (const char *s = g->strokes; *s;) {
            if (*s == ' ') {
                has_last = false;
                s++;
                continue;
            }
            double point[2] = {x + (s[0] - '0') * unit, y - (s[1] - '0' - 2) * unit};
            if (has_last) draw_stroke(image, last, point, pen, rgb);
            memcpy(last, point, sizeof last);
            has_last = true;
            s += 2;
        }
        x += (g->width + GAP) * unit;
    }
}
