#include "hand.h"

#include "geom/vec3.h"

static const double STEEL = 7800;      // density of a ball, unless its material is denser [kg/m^3]
static const double BACK = 0.6;        // how far from its goal a ball starts, of the scale
static const double DROP = 0.35;       // from how high it is dropped, of the scale
static const double ACCELERATION = 25; // of what is blown or pulled, at strength 1 [m/s^2]
static const double FOLLOW = 8;        // of a wall behind the mouse [1/s]

// ---- Balls -------------------------------------------------------------------------------------
static bool within(const view_facts *f, erg_vec3 p, double r)
{
    return p.x - r > f->lower.x && p.y - r > f->lower.y && p.z - r > f->lower.z &&
           p.x + r < f->upper.x && p.y + r < f->upper.y && p.z + r < f->upper.z;
}

// Walks away from `from` and finds the farthest place that has room, before anything is in the way.
static bool find_room(const view_aim *aim, erg_vec3 from, erg_vec3 away, double longest,
                      double radius, erg_vec3 *place)
{
    bool found = false;
    longest = fmax(longest, 8 * radius);
    for (double way = 0; way <= longest; way += 0.5 * radius) {
        erg_vec3 p = ergi_madd(from, way, away);
        bool     room =
            within(aim->facts, p, radius) && erg_picture_clearance(aim->picture, p) > 1.02 * radius;
        if (room) *place = p;
        if (!room && found) return true;
        found |= room;
    }
    return found;
}

static void add_ball(const view_hand *hand, const view_aim *aim, erg_vec3 place, erg_vec3 velocity,
                     view_show *show)
{
    view_show_command(show, &(erg_command){.kind = ERG_COMMAND_ADD_BALL,
                                           .id = aim->facts->material,
                                           .value = hand->ball,
                                           .amount = fmax(STEEL, aim->facts->density),
                                           .point = place,
                                           .vector = velocity});
}

static erg_vec3 goal_of(const view_aim *aim)
{
    double far = erg_picture_meet(aim->picture, &aim->ray);
    if (!isfinite(far) || far > 20 * aim->scale) far = 3 * aim->scale;
    return ergi_madd(aim->ray.origin, far, aim->ray.direction);
}

static const char NO_ROOM[] = "no room for a ball there: aim elsewhere, or make it smaller";
static const char NO_SAND[] = "nothing here can be touched";

static bool throw_ball(const view_hand *hand, const view_aim *aim, view_show *show,
                       const char **why)
{
    erg_vec3 place, back = ergi_scale(aim->ray.direction, -1);
    *why = NO_ROOM;
    if (!find_room(aim, goal_of(aim), back, BACK * aim->scale, hand->ball, &place)) return false;
    // As fast as what falls through all of the scene: sand of this size is used to that.
    double speed = hand->strength * sqrt(2 * 9.81 * aim->scale);
    add_ball(hand, aim, place, ergi_scale(aim->ray.direction, speed), show);
    return true;
}

bool view_hand_drop(const view_hand *hand, const view_aim *aim, view_show *show, const char **why)
{
    erg_vec3 place;
    *why = aim->facts->material ? NO_ROOM : NO_SAND;
    if (!aim->facts->material ||
        !find_room(aim, goal_of(aim), aim->up, DROP * aim->scale, hand->ball, &place))
        return false;
    add_ball(hand, aim, place, ergi_vec3(0, 0, 0), show);
    return true;
}

// ---- Walls -------------------------------------------------------------------------------------
static const view_wall *wall_of(const view_facts *f, erg_id id)
{
    for (size_t i = 0; i < f->walls; i++)
        if (f->wall[i].id == id) return &f->wall[i];
    return NULL;
}

// The nearest wall that can be moved, unless something is before it.
static bool grip_wall(view_hand *hand, const view_aim *aim)
{
    double nearest = erg_picture_meet(aim->picture, &aim->ray) * (1 + 1e-6);
    for (size_t i = 0; i < aim->facts->walls; i++) {
        const view_wall *w = &aim->facts->wall[i];
        double           far = erg_picture_meet_wall(aim->picture, &aim->ray, w->id);
        if (!(far <= nearest) || !isfinite(far)) continue;
        nearest = far;
        hand->wall = w->id;
        hand->grip = ergi_madd(aim->ray.origin, far, aim->ray.direction);
        hand->taken_at = w->position;
        hand->facing = aim->ray.direction;
        hand->sent = ergi_vec3(0, 0, 0);
    }
    return hand->wall != 0;
}

static void send_velocity(view_hand *hand, erg_vec3 velocity, double force, view_show *show)
{
    view_show_command(show, &(erg_command){.kind = ERG_COMMAND_WALL_VELOCITY,
                                           .id = hand->wall,
                                           .vector = velocity,
                                           .value = force});
    hand->sent = velocity;
}

// After the mouse, in the plane that faced the eye when the wall was taken.
static void pull_wall(view_hand *hand, const view_aim *aim, view_show *show)
{
    const view_wall *w = wall_of(aim->facts, hand->wall);
    double           slope = ergi_dot(aim->ray.direction, hand->facing);
    if (!w || !(slope > 0.05)) return;
    double   far = ergi_dot(ergi_sub(hand->grip, aim->ray.origin), hand->facing) / slope;
    erg_vec3 goal = ergi_sub(ergi_madd(aim->ray.origin, far, aim->ray.direction), hand->grip);
    erg_vec3 gone = ergi_sub(w->position, hand->taken_at);
    erg_vec3 velocity = ergi_scale(ergi_sub(goal, gone), FOLLOW);
    double   most = 2 * aim->scale, speed = ergi_norm(velocity); // twice the scene a second
    if (speed > most) velocity = ergi_scale(velocity, most / speed);
    if (ergi_distance(velocity, hand->sent) < 0.01 * most) return;
    // A hand at strength 1 lifts all the sand there is, twice.
    send_velocity(hand, velocity, hand->strength * 2 * 9.81 * fmax(aim->facts->mass, 1e-9), show);
}

// ---- Air ---------------------------------------------------------------------------------------
// What is gained goes with simulated time, so that a slow simulation is not blown apart.
static void move_air(view_hand *hand, const view_aim *aim, view_show *show)
{
    double passed = aim->facts->time - hand->last;
    if (!(passed > 0)) return;
    hand->last = aim->facts->time;
    bool     pull = hand->tool == VIEW_TOOL_PULL;
    erg_vec3 point = ergi_madd(goal_of(aim), -0.45 * hand->reach, aim->ray.direction);
    double   gain = ACCELERATION * hand->strength * fmin(passed, 0.05);
    view_show_command(show, &(erg_command){.kind = ERG_COMMAND_PULL,
                                           .point = point,
                                           .value = hand->reach,
                                           .amount = pull ? gain : -gain});
}

// ---- The button --------------------------------------------------------------------------------
bool view_hand_press(view_hand *hand, const view_aim *aim, bool drop, view_show *show,
                     const char **why)
{
    hand->wall = 0;
    hand->busy = true;
    hand->last = aim->facts->time;
    *why = NO_SAND;
    if (!drop && grip_wall(hand, aim)) return true;
    if (!aim->facts->material) return false;
    if (drop) return view_hand_drop(hand, aim, show, why);
    return hand->tool == VIEW_TOOL_BALL ? throw_ball(hand, aim, show, why) : true;
}

void view_hand_hold(view_hand *hand, const view_aim *aim, view_show *show)
{
    if (!hand->busy) return;
    if (hand->wall)
        pull_wall(hand, aim, show);
    else if (hand->tool != VIEW_TOOL_BALL)
        move_air(hand, aim, show);
}

void view_hand_release(view_hand *hand, view_show *show)
{
    if (hand->busy && hand->wall) send_velocity(hand, ergi_vec3(0, 0, 0), 0, show);
    hand->busy = false;
    hand->wall = 0;
}
