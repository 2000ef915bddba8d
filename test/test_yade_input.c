// Contacts in the YADE input of the benches: spheres by index, walls as negative numbers.
// labels: asan clang
#include "../bench/input_file.c"
#include "../bench/silo_mesh.c"
#include "../bench/yade_input.c"
#include "../cli/fail.c"

#include "check.h"

#include <stdarg.h>
#include <stdlib.h>

TEST(contacts_carry_friction)
{
    erg_vec3     place[] = {{0.1, 0.1, 1e-3}, {0.1, 0.1, 3e-3}}, still[2] = {{0}};
    peer_contact contact[] = {{.a = 0, .b = 2 + PEER_FLOOR, .friction = {1, 2, 0}},
                              {.a = 1, .b = 0, .friction = {-3, 0, 0.5}}};
    peer_state   state = {.scene = PEER_PACK,
                          .spheres = 2,
                          .grains = 2,
                          .radius = 1e-3,
                          .density = 2500,
                          .gravity = 9.81,
                          .dt = 1e-5,
                          .position = place,
                          .velocity = still,
                          .spin = still,
                          .contact = contact,
                          .contacts = 2,
                          .high = {0.2, 0.2, 0.1},
                          .floor = true,
                          .box = true,
                          .at_rest = true};
    const char  *folder = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
    erg_error    err;
    CHECK(yade_write_window(folder, &state, &err) == ERG_OK);
    char *told = output_text(folder, "contacts.txt"), *script = output_text(folder, "window.py");
    CHECK(told && strcmp(told, "0 -5 1 2 0\n1 0 -3 0 0.5\n") == 0);
    // The fifth wall is the floor.
    CHECK(strstr(script, "((0, 0, 1), (0.2, 0, -1), (0, 1, 1),\n"));
    CHECK(strstr(script, "(0.2, 1, -1), (0, 2, 1)):\n"));
    free(told);
    free(script);
}

TEST_MAIN(contacts_carry_friction)
