#include "picking.h"

#include "geom/vec3.h"

static const double MAX_OVERLAP = 0.25;   // overlap that a throw may cause, in grain radii
static const double START_DISTANCE = 0.6; // from the target at which a ball starts, in scene sizes
static const double DROP_HEIGHT = 0.35;   // height from which a ball is dropped, in scene sizes
static const double ACCELERATION = 25;    // of what is blown or pulled, at strength 1 [m/s^2]
static const double FOLLOW_RATE = 8;      // gain of a wall that follows the mouse [1/s]
enum { ATTEMPTS = 8 }; // directions tried for a throw, in addition to the straight one

// ---- Balls -------------------------------------------------------------------------------------
static bool within(const view_facts *f, erg_vec3 p, double r)
{
    return p.x - r > f->lower.x && p.y - r > f->lower.y && p.z - r > f->lower.z &&
           p.x + r < f->upper.x && p.y + r < f->upper.y && p.z + r < f->upper.z;
}

// The farthest position along `away` with space for the ball, before anything blocks it. Walls that
// are not drawn count too: a ball from beyond one would never reach `from`.
static bool find_start(const view_aim *aim, erg_vec3 from, erg_vec3 away, double longest,
                       double radius, erg_vec3 *start)
{
    bool    found = false;
    double  off = 1e-4 * aim->scale; // ignores the wall on which `from` may lie
    erg_ray ahead = {ergi_madd(from, off, away), away};
    longest = fmin(fmax(longest, 6 * radius), off + erg_picture_wall_ahead(aim->picture, &ahead));
    for (double distance = 0; distance <= longest; distance += 0.5 * radius) {
        erg_vec3 p = ergi_madd(from, distance, away);
        bool     room =
            within(aim->facts, p, radius) && erg_picture_clearance(aim->picture, p) > 1.02 * radius;
        if (room) *start = p;
        if (!room && found) return true;
        found |= room;
    }
    return found;
}

static void add_ball(const view_picker *picker, const view_aim *aim, erg_vec3 start,
                     erg_vec3 velocity, view_sim *sim)
{
    view_sim_command(sim, &(erg_command){.kind = ERG_COMMAND_ADD_BALL,
                                         .id = aim->facts->material,
                                         .value = picker->ball,
                                         .point = start,
                                         .vector = velocity});
}

// The speed at which grains between a ball and a wall reach the largest allowed overlap, slightly
// below the one that would stop the run. With Hertz' law (Johnson, Contact Mechanics, 1985, section
// 11.4) n grains of radius r, with overlap d on both sides, store 16/15 n E* sqrt(r) d^(5/2); the
// ball of radius k r has 2/3 pi rho (k r)^3 v^2. About k^2/8 grains share it.
static double max_speed(const view_picker *picker, const view_aim *aim)
{
    const view_facts *f = aim->facts;
    double k = picker->ball / erg_picture_grain_radius(aim->picture), n = fmax(1, k * k / 8);
    return sqrt(1.6 * n * f->stiffness * pow(MAX_OVERLAP, 2.5) /
                (ERGI_PI * f->density * k * k * k));
}

static erg_vec3 target_point(const view_aim *aim)
{
    double far = erg_picture_meet(aim->picture, &aim->ray);
    if (!isfinite(far) || far > 20 * aim->scale) far = 3 * aim->scale;
    return ergi_madd(aim->ray.origin, far, aim->ray.direction);
}

static const char NO_ROOM[] = "no room for a ball there: aim elsewhere, or make it smaller";
static const char NO_FLOOR[] = "that ground is only drawn, not solid: aim at the grains";
static const char NO_WORLD[] =
    "that is outside the domain of the scene, where a ball would be lost";
static const char NO_SAND[] = "there are no grains to interact with";

// Whether a ball thrown there would land on something instead of being lost.
static bool can_land(const view_aim *aim, const char **why)
{
    if (erg_picture_meets_mere_floor(aim->picture, &aim->ray)) {
        *why = NO_FLOOR;
        return false;
    }
    *why = within(aim->facts, target_point(aim), 0) ? NO_ROOM : NO_WORLD;
    return *why == NO_ROOM;
}

// Direction from the target to the start of a throw: towards the camera, then steeper with each
// attempt if a see-through wall blocks it, and finally from behind.
static erg_vec3 start_direction(const view_aim *aim, int attempt)
{
    erg_vec3 back = ergi_scale(aim->ray.direction, -1);
    erg_vec3 level = ergi_madd(back, -ergi_dot(back, aim->up), aim->up);
    if (attempt == 0 || !(ergi_norm(level) > 0)) return back;
    double rise = atan2(ergi_dot(back, aim->up), ergi_norm(level));
    double angle = fmax(rise, 0) + attempt * (2.2 - fmax(rise, 0)) / ATTEMPTS;
    return ergi_madd(ergi_scale(ergi_normalize(level), cos(angle)), sin(angle), aim->up);
}

static bool throw_ball(const view_picker *picker, const view_aim *aim, view_sim *sim,
                       const char **why)
{
    erg_vec3 start = {0, 0, 0}, from = {0, 0, 0}, goal = target_point(aim);
    bool     found = false;
    if (!can_land(aim, why)) return false;
    for (int k = 0; k <= ATTEMPTS && !found; k++) {
        from = start_direction(aim, k);
        found = find_start(aim, goal, from, START_DISTANCE * aim->scale, picker->ball, &start);
    }
    if (!found) return false;
    // The free-fall speed over the size of the scene, a usual speed of its grains.
    double speed = fmin(picker->strength * sqrt(9.81 * aim->scale), max_speed(picker, aim));
    add_ball(picker, aim, start, ergi_scale(from, -speed), sim);
    return true;
}

bool view_picker_drop(const view_picker *picker, const view_aim *aim, view_sim *sim,
                      const char **why)
{
    erg_vec3 start = {0, 0, 0};
    *why = NO_SAND;
    if (!aim->facts->material || !can_land(aim, why)) return false;
    double most = max_speed(picker, aim),
           height = fmin(DROP_HEIGHT * aim->scale, most * most / (2 * 9.81));
    if (!find_start(aim, target_point(aim), aim->up, height, picker->ball, &start)) return false;
    add_ball(picker, aim, start, ergi_vec3(0, 0, 0), sim);
    return true;
}

// ---- Walls -------------------------------------------------------------------------------------
static const view_wall *wall_of(const view_facts *f, erg_id id)
{
    for (size_t i = 0; i < f->walls; i++)
        if (f->wall[i].id == id) return &f->wall[i];
    return NULL;
}

// Grabs the nearest movable wall, unless something is in front of it.
static bool grab_wall(view_picker *picker, const view_aim *aim)
{
    double nearest = erg_picture_meet(aim->picture, &aim->ray) * (1 + 1e-6);
    for (size_t i = 0; i < aim->facts->walls; i++) {
        const view_wall *w = &aim->facts->wall[i];
        double           far = erg_picture_meet_wall(aim->picture, &aim->ray, w->id);
        if (!(far <= nearest) || !isfinite(far)) continue;
        nearest = far;
        picker->wall = w->id;
        picker->grip = ergi_madd(aim->ray.origin, far, aim->ray.direction);
        picker->taken_at = w->position;
        picker->facing = aim->ray.direction;
        picker->sent = ergi_vec3(0, 0, 0);
    }
    return picker->wall != 0;
}

static void send_velocity(view_picker *picker, erg_vec3 velocity, double force, view_sim *sim)
{
    view_sim_command(sim, &(erg_command){.kind = ERG_COMMAND_WALL_VELOCITY,
                                         .id = picker->wall,
                                         .vector = velocity,
                                         .value = force});
    picker->sent = velocity;
}

// The force that a single grain between two walls bears: Hertz' 4/3 E* sqrt(r) d^(3/2).
static double max_grain_force(const view_picker *picker, double radius, const view_facts *facts)
{
    double one = 4.0 / 3 * facts->stiffness * radius * radius;
    return one * fmin(picker->strength * pow(0.5 * MAX_OVERLAP, 1.5), pow(0.8 * MAX_OVERLAP, 1.5));
}

static double max_force(const view_picker *picker, const view_aim *aim)
{
    return max_grain_force(picker, erg_picture_grain_radius(aim->picture), aim->facts);
}

// Assumes a tool a tenth of the scene wide, where one in ten of the grains in front of it carries
// load.
double view_picker_max_force(const view_picker *picker, const erg_picture *picture,
                             const view_facts *facts, double scale)
{
    double r = erg_picture_grain_radius(picture), across = 0.1 * scale / r;
    if (!(r > 0) || !(facts->stiffness > 0)) return 0;
    return fmax(1, 0.1 * across * across) * max_grain_force(picker, r, facts);
}

// Follows the mouse in the plane that faced the camera when the wall was grabbed.
static void pull_wall(view_picker *picker, const view_aim *aim, view_sim *sim)
{
    const view_wall *w = wall_of(aim->facts, picker->wall);
    double           slope = ergi_dot(aim->ray.direction, picker->facing);
    if (!w || !(slope > 0.05)) return;
    double   far = ergi_dot(ergi_sub(picker->grip, aim->ray.origin), picker->facing) / slope;
    erg_vec3 goal = ergi_sub(ergi_madd(aim->ray.origin, far, aim->ray.direction), picker->grip);
    erg_vec3 gone = ergi_sub(w->position, picker->taken_at);
    erg_vec3 velocity = ergi_scale(ergi_sub(goal, gone), FOLLOW_RATE);
    double   most = 2 * aim->scale, speed = ergi_norm(velocity); // two scene sizes per second
    if (speed > most) velocity = ergi_scale(velocity, most / speed);
    if (ergi_distance(velocity, picker->sent) < 0.01 * most) return;
    send_velocity(picker, velocity, max_force(picker, aim), sim);
}

// ---- Blowing and pulling -----------------------------------------------------------------------
// The impulse is proportional to simulated time, so that a slow simulation is not blown apart.
static void apply_pull(view_picker *picker, const view_aim *aim, view_sim *sim)
{
    double passed = aim->facts->time - picker->last;
    if (!(passed > 0)) return;
    picker->last = aim->facts->time;
    bool     pull = picker->tool == VIEW_TOOL_PULL;
    erg_vec3 point = ergi_madd(target_point(aim), -0.45 * picker->reach, aim->ray.direction);
    double   gain = ACCELERATION * picker->strength * fmin(passed, 0.05);
    view_sim_command(sim, &(erg_command){.kind = ERG_COMMAND_PULL,
                                         .point = point,
                                         .value = picker->reach,
                                         .amount = pull ? gain : -gain});
}

// ---- Mouse button ------------------------------------------------------------------------------
bool view_picker_press(view_picker *picker, const view_aim *aim, bool drop, view_sim *sim,
                       const char **why)
{
    picker->wall = 0;
    picker->busy = true;
    picker->last = aim->facts->time;
    *why = NO_SAND;
    if (!drop && grab_wall(picker, aim)) return true;
    if (!aim->facts->material) return false;
    if (drop) return view_picker_drop(picker, aim, sim, why);
    return picker->tool == VIEW_TOOL_BALL ? throw_ball(picker, aim, sim, why) : true;
}

void view_picker_hold(view_picker *picker, const view_aim *aim, view_sim *sim)
{
    if (!picker->busy) return;
    if (picker->wall)
        pull_wall(picker, aim, sim);
    else if (picker->tool != VIEW_TOOL_BALL)
        apply_pull(picker, aim, sim);
}

void view_picker_release(view_picker *picker, view_sim *sim)
{
    if (picker->busy && picker->wall) send_velocity(picker, ergi_vec3(0, 0, 0), 0, sim);
    picker->busy = false;
    picker->wall = 0;
}
