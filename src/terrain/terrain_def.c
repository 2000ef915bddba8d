#include "terrain/terrain_def.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "terrain/columns.h"

static const double MOST_DUNE = 0.1, MOST_NOISE = 0.5; // amplitude [wavelengths]
static const double MOST_SLOPE = 2;                    // rise per metre

static erg_status refuse(const char *field, const char *wanted, double got, erg_error *err)
{
    return ergi_fail_at(err, field, ergi_code_of(got), "terrain: %s must be %s, got %g", field,
                        wanted, got);
}

// ---- Grid --------------------------------------------------------------------------------------
double ergi_terrain_def_count(const erg_terrain_def *def, int axis)
{
    // Rounding is no column: 1.1/0.1 are 11.
    double columns = (def->upper[axis] - def->lower[axis]) / def->spacing;
    return fmax(1, ceil(columns - 1e-6));
}

double ergi_terrain_def_bytes(const erg_terrain_def *def)
{
    // Columns, and the bits of their patches, all with their copy; the stamp and the lists.
    double block = 2 * (ERGI_BLOCK_COLUMNS * 12.0 + ERGI_BLOCK_PATCHES * 8.0 + 8) + 18;
    for (int k = 0; k < 2; k++) block *= ceil(ergi_terrain_def_count(def, k) / ERGI_BLOCK_SIDE);
    return block;
}

static erg_status check_corners(const erg_terrain_def *def, erg_error *err)
{
    static const char *const lower[] = {"lower[0]", "lower[1]"}, *const upper[] = {"upper[0]",
                                                                                   "upper[1]"};
    for (int k = 0; k < 2; k++) {
        double low = def->lower[k], high = def->upper[k];
        if (isfinite(low) && isfinite(high) && low < high) continue;
        return ergi_fail_at(err, isfinite(low) ? upper[k] : lower[k],
                            isfinite(low) && isfinite(high) ? ERG_ERROR_OUT_OF_RANGE
                                                            : ERG_ERROR_NOT_FINITE,
                            "the terrain's lower %c, %g m, must be below its upper %c, %g m",
                            "xy"[k], low, "xy"[k], high);
    }
    return ERG_OK;
}

static erg_status check_grid(const erg_terrain_def *def, erg_error *err)
{
    erg_status status = check_corners(def, err);
    if (status != ERG_OK) return status;
    if (!(def->spacing > 0 && isfinite(def->spacing)))
        return refuse("spacing", "above 0 m", def->spacing, err);
    double nx = ergi_terrain_def_count(def, 0), ny = ergi_terrain_def_count(def, 1);
    if (!(nx * ny <= ERGI_MOST_COLUMNS))
        return ergi_fail_at(err, "spacing", ERG_ERROR_TOO_MANY,
                            "a terrain of %g m x %g m with columns of %g m has %.3g columns, the "
                            "most are %.3g: give a larger spacing or a smaller terrain",
                            def->upper[0] - def->lower[0], def->upper[1] - def->lower[1],
                            def->spacing, nx * ny, ERGI_MOST_COLUMNS);
    double bytes = ergi_terrain_def_bytes(def), memory = ergi_memory_total();
    if (bytes > memory)
        return ergi_fail_at(err, "spacing", ERG_ERROR_TOO_MANY,
                            "a terrain of %.0f x %.0f columns needs %.3g GB of memory, but there "
                            "are %.3g GB: give a larger spacing or a smaller terrain",
                            nx, ny, bytes * 1e-9, memory * 1e-9);
    return ERG_OK;
}

// ---- Relief ------------------------------------------------------------------------------------
static erg_status check_waves(const erg_terrain_def *def, erg_error *err)
{
    if (!(def->amplitude >= 0 && isfinite(def->amplitude)))
        return refuse("amplitude", "at least 0 m", def->amplitude, err);
    if (!(def->wavelength >= 4 * def->spacing && isfinite(def->wavelength)))
        return ergi_fail_at(err, "wavelength", ergi_code_of(def->wavelength),
                            "terrain: wavelength must be at least four columns, %g m, got %g",
                            4 * def->spacing, def->wavelength);
    bool   noise = def->relief == ERG_RELIEF_NOISE;
    double most = (noise ? MOST_NOISE : MOST_DUNE) * def->wavelength;
    if (!(def->amplitude <= most))
        return ergi_fail_at(err, "amplitude", ERG_ERROR_OUT_OF_RANGE,
                            "terrain: amplitude of %s must be at most %s of the wavelength, %g m, "
                            "got %g: sand does not stand steeper",
                            noise ? "noise" : "dunes", noise ? "half" : "a tenth", most,
                            def->amplitude);
    if (noise) return ERG_OK;
    if (!isfinite(def->direction))
        return refuse("direction", "an angle in rad", def->direction, err);
    return ERG_OK;
}

// Files mark missing data by NaN or by heights far below the floor.
static erg_status check_heights(const erg_terrain_def *def, erg_error *err)
{
    size_t nx = def->columns[0], ny = def->columns[1];
    if (nx < 1 || ny < 1 || (double)nx * (double)ny > ERGI_MOST_COLUMNS)
        return ergi_fail_at(err, "columns", ERG_ERROR_OUT_OF_RANGE,
                            "terrain: columns must be 1 x 1 to %.3g in all, got %zu x %zu",
                            ERGI_MOST_COLUMNS, nx, ny);
    for (size_t k = 0; k < nx * ny; k++) {
        double z = def->height + (double)def->heights[k];
        if (z >= def->floor && isfinite(z)) continue;
        return ergi_fail_at(err, "heights", ergi_code_of(z),
                            "terrain: the height in column %zu of row %zu is %g m%s, expected "
                            "numbers that are not below the floor, %g m: %s",
                            k % nx, k / nx, (double)def->heights[k],
                            def->height == 0 ? "" : " before adding `height`", def->floor,
                            isfinite(z) ? "lower the floor, or fill this hole of the heights"
                                        : "fill this hole of the heights");
    }
    return ERG_OK;
}

static erg_status check_relief(const erg_terrain_def *def, erg_error *err)
{
    if (!isfinite(def->floor)) return refuse("floor", "a height in m", def->floor, err);
    if (!isfinite(def->height)) return refuse("height", "a height in m", def->height, err);
    if (def->relief != ERG_RELIEF_HEIGHTS && !(def->height > def->floor))
        return ergi_fail_at(err, "height", ERG_ERROR_OUT_OF_RANGE,
                            "terrain: height must be above the floor, %g m, got %g", def->floor,
                            def->height);
    switch (def->relief) {
    case ERG_RELIEF_FLAT: return ERG_OK;
    case ERG_RELIEF_SLOPE:
        if (!isfinite(def->slope[0]) || !isfinite(def->slope[1]))
            return ergi_fail_at(err, "slope", ERG_ERROR_NOT_FINITE,
                                "terrain: slope must be two finite numbers");
        if (hypot(def->slope[0], def->slope[1]) <= MOST_SLOPE) return ERG_OK;
        return ergi_fail_at(err, "slope", ERG_ERROR_OUT_OF_RANGE,
                            "terrain: slope must rise at most %g m per metre, got %g: sand does "
                            "not stand steeper",
                            MOST_SLOPE, hypot(def->slope[0], def->slope[1]));
    case ERG_RELIEF_DUNES:
    case ERG_RELIEF_NOISE: return check_waves(def, err);
    case ERG_RELIEF_HEIGHTS:
        if (def->heights) return check_heights(def, err);
        return ergi_fail_at(err, "heights", ERG_ERROR_MISSING,
                            "terrain: a relief of heights needs the heights");
    }
    return ergi_fail_at(err, "relief", ERG_ERROR_UNKNOWN, "terrain: there is no relief %d",
                        (int)def->relief);
}

// ---- Sand --------------------------------------------------------------------------------------
static erg_status check_sand(const erg_terrain_def *def, erg_error *err)
{
    const double upright = 1.57079632679489661923;
    double       start = def->angle_start, stop = def->angle_stop;
    if (!(start > 0 && start < upright))
        return refuse("angle_start", "above 0 and below pi/2 rad", start, err);
    if (!(stop > 0 && stop <= start))
        return ergi_fail_at(err, "angle_stop", ergi_code_of(stop),
                            "terrain: angle_stop must be above 0 and at most angle_start, %g rad, "
                            "got %g",
                            start, stop);
    if (!(def->compression >= 0 && def->compression <= 1))
        return refuse("compression", "between 0 and 1", def->compression, err);
    if (!(def->resistance > 0 && isfinite(def->resistance)))
        return refuse("resistance", "above 0", def->resistance, err);
    return ERG_OK;
}

erg_status ergi_terrain_def_check(const erg_terrain_def *def, erg_error *err)
{
    erg_status status = check_grid(def, err);
    if (status == ERG_OK) status = check_relief(def, err);
    return status == ERG_OK ? check_sand(def, err) : status;
}
