// Public functions with NULL for every pointer, or for those after the first, return a status, 0 or
// NULL and do not crash. Functions without pointers, and those that only return defaults, are not
// tested.
// labels: asan
#include "check.h"

#include "erg/erg.h"

#include <math.h>
#include <string.h>

#define REFUSED(call)                                                                              \
    do {                                                                                           \
        erg_status answer = call;                                                                  \
        CHECK(answer == ERG_BAD_INPUT || answer == ERG_NOT_BUILT);                                 \
    } while (0)

TEST(those_with_a_status_refuse)
{
    REFUSED(erg_picture_create(NULL, NULL));
    REFUSED(erg_picture_set_props(NULL, NULL, 1, NULL));
    REFUSED(erg_picture_take(NULL, NULL, NULL, NULL, NULL));
    REFUSED(erg_renderer_create(NULL, NULL));
    REFUSED(erg_renderer_draw(NULL, NULL, 32, 32, NULL));
    REFUSED(erg_canvas_create(32, 32, NULL, NULL));
    REFUSED(erg_canvas_draw(NULL, NULL, NULL));
    REFUSED(erg_canvas_save(NULL, NULL, NULL));
    REFUSED(erg_png_write(NULL, 32, 32, NULL, NULL));
    REFUSED(erg_png_write_rgba(NULL, 32, 32, NULL, NULL));
    REFUSED(erg_mesh_read(NULL, NULL, NULL, NULL));
    REFUSED(erg_mesh_create(NULL, 1, NULL, 1, NULL, NULL, NULL));
    REFUSED(erg_mesh_primitive(NULL, NULL, NULL));
    REFUSED(erg_mesh_write(NULL, NULL, NULL));
    REFUSED(erg_mesh_get_report(NULL, NULL, NULL));
    REFUSED(erg_probes_create(NULL, 1, NULL, NULL, NULL));
    REFUSED(erg_probes_watch(NULL, NULL, NULL));
    REFUSED(erg_probes_read(NULL, NULL, NULL, NULL));
    REFUSED(erg_probe_write_field(NULL, NULL, NULL, NULL));
    REFUSED(erg_replay_open(NULL, NULL, NULL));
    REFUSED(erg_replay_read(NULL, 0, NULL, NULL));
    REFUSED(erg_replay_terrain(NULL, NULL, NULL));
    REFUSED(erg_run(NULL, NULL, NULL));
    REFUSED(erg_run_keep(NULL, NULL, NULL, NULL));
    REFUSED(erg_run_stored_scene(NULL, NULL, 1, NULL, NULL, 1, NULL));
    REFUSED(erg_sample(NULL, NULL, NULL, NULL));
    REFUSED(erg_spread_record(NULL, NULL, NULL, NULL));
    REFUSED(erg_samples_measure(NULL, NULL, NULL, NULL));
    REFUSED(erg_samples_write(NULL, NULL, NULL));
    REFUSED(erg_scene_load(NULL, NULL, 1, NULL, NULL));
    REFUSED(erg_scene_load_text(NULL, 1, NULL, NULL, 1, NULL, NULL));
    REFUSED(erg_scene_build(NULL, NULL, NULL, NULL, NULL));
    REFUSED(erg_scene_find(NULL, NULL, 1, NULL));
    REFUSED(erg_sdf_create(NULL, NULL, NULL, NULL));
    REFUSED(erg_snapshot_write(NULL, (erg_snapshot_part)0, NULL, NULL));
    REFUSED(erg_snapshot_list(NULL, NULL, 1, NULL));
    REFUSED(erg_world_create(NULL, NULL, NULL));
    REFUSED(erg_world_add_material(NULL, NULL, NULL, NULL));
    REFUSED(erg_world_set_pair(NULL, NULL, NULL));
    REFUSED(erg_world_add_grain_kind(NULL, NULL, NULL, NULL));
    REFUSED(erg_world_add_wall(NULL, NULL, NULL, NULL));
    REFUSED(erg_world_add_body(NULL, NULL, NULL, NULL));
    REFUSED(erg_world_fill(NULL, NULL, NULL, NULL));
    REFUSED(erg_world_add_emitter(NULL, NULL, NULL, NULL));
    REFUSED(erg_world_add_sink(NULL, NULL, NULL, NULL));
    REFUSED(erg_world_add_grains(NULL, NULL, NULL, NULL));
    REFUSED(erg_world_add_copies(NULL, NULL, NULL, 1, NULL));
    REFUSED(erg_world_remove_grains(NULL, NULL, 1, NULL));
    REFUSED(erg_world_prepare(NULL, NULL));
    REFUSED(erg_world_step(NULL, 0, NULL));
    REFUSED(erg_world_run(NULL, 0, NULL, NULL, NULL));
    REFUSED(erg_world_read(NULL, (erg_field)0, NULL, 1, NULL, NULL));
    REFUSED(erg_world_write(NULL, (erg_field)0, NULL, 1, NULL, NULL));
    REFUSED(erg_world_view(NULL, (erg_field)0, NULL, NULL));
    REFUSED(erg_world_read_spheres(NULL, NULL, NULL));
    REFUSED(erg_world_contacts(NULL, NULL, 1, NULL, NULL));
    REFUSED(erg_world_stats(NULL, NULL, NULL));
    REFUSED(erg_world_wall_state(NULL, 0, NULL, NULL));
    REFUSED(erg_world_body_state(NULL, 0, NULL, NULL));
    REFUSED(erg_world_wall_surface(NULL, 0, 0, NULL, NULL));
    REFUSED(erg_world_joint(NULL, 0, NULL, NULL));
    REFUSED(erg_world_emitter_total(NULL, 0, NULL, NULL, NULL));
    REFUSED(erg_world_sink_total(NULL, 0, NULL, NULL, NULL));
    REFUSED(erg_world_get_material(NULL, 0, NULL, NULL));
    REFUSED(erg_world_set_terrain(NULL, NULL, NULL));
    REFUSED(erg_world_terrain_grid(NULL, NULL, NULL));
    REFUSED(erg_world_terrain_read(NULL, 0, 0, 1, 1, 1, NULL, NULL));
    REFUSED(erg_heights_read_raw(NULL, NULL, NULL, NULL));
    REFUSED(erg_heights_read_png(NULL, NULL, NULL, NULL, NULL));
    REFUSED(erg_world_terrain_stats(NULL, NULL, NULL));
    REFUSED(erg_world_view_frozen(NULL, NULL, NULL));
    REFUSED(erg_world_set_upsample(NULL, NULL, NULL));
    REFUSED(erg_world_view_fine(NULL, NULL, NULL));
    REFUSED(erg_world_fine_stats(NULL, NULL, NULL));
    REFUSED(erg_world_check_memory(NULL, 0, NULL));
    REFUSED(erg_world_command(NULL, NULL, NULL));
    REFUSED(erg_world_save(NULL, NULL, NULL, NULL, NULL));
    REFUSED(erg_world_load(NULL, NULL, NULL));
}

TEST(of_a_world_that_is_there_too)
{
    erg_world_def def = erg_world_def_default();
    erg_world    *world = NULL;
    CHECK(erg_world_create(&def, &world, NULL) == ERG_OK);
    uint64_t before = erg_world_hash(world);
    REFUSED(erg_world_add_material(world, NULL, NULL, NULL));
    REFUSED(erg_world_set_pair(world, NULL, NULL));
    REFUSED(erg_world_add_grain_kind(world, NULL, NULL, NULL));
    REFUSED(erg_world_add_wall(world, NULL, NULL, NULL));
    REFUSED(erg_world_add_body(world, NULL, NULL, NULL));
    REFUSED(erg_world_fill(world, NULL, NULL, NULL));
    REFUSED(erg_world_add_emitter(world, NULL, NULL, NULL));
    REFUSED(erg_world_add_sink(world, NULL, NULL, NULL));
    REFUSED(erg_world_add_grains(world, NULL, NULL, NULL));
    REFUSED(erg_world_add_copies(world, NULL, NULL, 1, NULL));
    REFUSED(erg_world_remove_grains(world, NULL, 1, NULL));
    REFUSED(erg_world_read(world, (erg_field)0, NULL, 1, NULL, NULL));
    REFUSED(erg_world_write(world, (erg_field)0, NULL, 1, NULL, NULL));
    REFUSED(erg_world_view(world, (erg_field)0, NULL, NULL));
    REFUSED(erg_world_read_spheres(world, NULL, NULL));
    REFUSED(erg_world_contacts(world, NULL, 1, NULL, NULL));
    REFUSED(erg_world_stats(world, NULL, NULL));
    REFUSED(erg_world_wall_state(world, 0, NULL, NULL));
    REFUSED(erg_world_body_state(world, 0, NULL, NULL));
    REFUSED(erg_world_wall_surface(world, 0, 0, NULL, NULL));
    REFUSED(erg_world_joint(world, 0, NULL, NULL));
    REFUSED(erg_world_emitter_total(world, 0, NULL, NULL, NULL));
    REFUSED(erg_world_sink_total(world, 0, NULL, NULL, NULL));
    REFUSED(erg_world_get_material(world, 0, NULL, NULL));
    REFUSED(erg_world_set_terrain(world, NULL, NULL));
    REFUSED(erg_world_terrain_grid(world, NULL, NULL));
    REFUSED(erg_world_terrain_read(world, 0, 0, 1, 1, 1, NULL, NULL));
    REFUSED(erg_world_terrain_stats(world, NULL, NULL));
    REFUSED(erg_world_view_frozen(world, NULL, NULL));
    REFUSED(erg_world_set_upsample(world, NULL, NULL));
    REFUSED(erg_world_view_fine(world, NULL, NULL));
    REFUSED(erg_world_fine_stats(world, NULL, NULL));
    REFUSED(erg_replay_terrain(NULL, world, NULL));
    REFUSED(erg_world_command(world, NULL, NULL));
    REFUSED(erg_world_save(world, NULL, NULL, NULL, NULL));
    REFUSED(erg_world_load(world, NULL, NULL));
    REFUSED(erg_world_create(&def, NULL, NULL));
    REFUSED(erg_snapshot_write(world, (erg_snapshot_part)0, NULL, NULL));
    REFUSED(erg_probes_create(NULL, 0, world, NULL, NULL));
    CHECK(erg_world_body_spheres(world, 1, NULL, NULL) == NULL);
    CHECK(erg_world_find_wall(world, NULL) == 0);
    CHECK(erg_world_command_log(world, NULL, 1) == 0);
    erg_error err = {0};
    CHECK(erg_world_fill(world, NULL, NULL, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "erg_world_fill: a required argument is NULL");
    CHECK(erg_world_hash(world) == before);
    erg_world_destroy(world);
}

// Numbers that are not asked for are left out; the rest is as with them.
TEST(of_a_world_answers_may_be_left_out)
{
    erg_world_def    def = erg_world_def_default();
    erg_material_def sand = erg_material_def_default();
    erg_world       *world = NULL;
    sand.name = "sand";
    CHECK(erg_world_create(&def, &world, NULL) == ERG_OK);
    CHECK(erg_world_add_material(world, &sand, NULL, NULL) == ERG_OK);
    erg_id        id = erg_world_find_material(world, "sand");
    erg_grain_def bead = erg_grain_def_default();
    bead.name = "bead";
    bead.material = id;
    CHECK(id == 1);
    CHECK(erg_world_add_grain_kind(world, &bead, NULL, NULL) == ERG_OK);
    REFUSED(erg_world_get_material(world, id, NULL, NULL));
    erg_world_destroy(world);
}

TEST(of_meshes_and_samples_that_are_there_too)
{
    erg_primitive shape = erg_primitive_default(ERG_PRIMITIVE_BOX);
    erg_mesh     *mesh = NULL;
    REFUSED(erg_mesh_primitive(&shape, NULL, NULL));
    CHECK(erg_mesh_primitive(&shape, &mesh, NULL) == ERG_OK);
    CHECK(erg_mesh_vertices(mesh, NULL) != NULL);
    CHECK(erg_mesh_triangles(mesh, NULL) != NULL);
    REFUSED(erg_mesh_get_report(mesh, NULL, NULL));
    REFUSED(erg_mesh_write(mesh, NULL, NULL));
    CHECK(!erg_primitive_find("box", NULL));

    erg_sample_def def = erg_sample_def_default(ERG_SAMPLE_SURFACE);
    erg_samples   *samples = NULL;
    erg_spread    *spread = NULL;
    erg_sdf       *field = NULL;
    def.radius = 0.3;
    def.threads = 1;
    REFUSED(erg_sample(mesh, &def, NULL, NULL));
    CHECK(erg_sample(mesh, &def, &samples, NULL) == ERG_OK);
    CHECK(erg_samples_positions(samples, NULL) != NULL);
    REFUSED(erg_samples_measure(samples, mesh, NULL, NULL));
    REFUSED(erg_samples_write(samples, NULL, NULL));
    REFUSED(erg_spread_record(mesh, &def, NULL, NULL));
    CHECK(erg_spread_record(mesh, &def, &spread, NULL) == ERG_OK);
    CHECK(erg_spread_at(spread, 0, NULL) != NULL);
    CHECK(erg_spread_at(spread, erg_spread_count(spread), NULL) == NULL);

    erg_sdf_def fine = erg_sdf_def_under(&def);
    REFUSED(erg_sdf_create(mesh, &fine, NULL, NULL));
    CHECK(erg_sdf_create(mesh, &fine, &field, NULL) == ERG_OK);
    CHECK(erg_sdf_distance(field, (erg_vec3){0, 0, 0.5}, NULL) < 0.5);
    erg_sdf_destroy(field);
    erg_spread_destroy(spread);
    erg_samples_destroy(samples);
    erg_mesh_destroy(mesh);
}

TEST(of_scenes_and_pictures_that_are_there_too)
{
    static const char SCENE[] = "materials:\n  sand: {density: 2500, young: 1e6}\n";

    erg_scene *scene = NULL, *other = NULL;
    REFUSED(erg_scene_load_text(SCENE, strlen(SCENE), NULL, NULL, 0, NULL, NULL));
    CHECK(erg_scene_load_text(SCENE, strlen(SCENE), NULL, NULL, 0, &scene, NULL) == ERG_OK);
    CHECK(erg_scene_load_text(SCENE, strlen(SCENE), NULL,
                              (const char *const[]){"materials.sand.young=2e6"}, 1, &other,
                              NULL) == ERG_OK);
    const char *const with_none[] = {"materials.sand.young=2e6", NULL};
    erg_error         err;
    erg_scene        *none = NULL;
    CHECK(erg_scene_load_text(SCENE, strlen(SCENE), NULL, with_none, 2, &none, &err) ==
          ERG_BAD_INPUT);
    CHECK(strcmp(err.text, "setting 2 of a scene, sets[1], is NULL") == 0);
    CHECK(erg_scene_load("pile.yaml", with_none, 2, &none, &err) == ERG_BAD_INPUT);
    CHECK(err.code == ERG_ERROR_MISSING && !none);
    CHECK(erg_scene_differs(scene, other, NULL, 9));
    CHECK(erg_scene_differs(scene, NULL, NULL, 9));
    REFUSED(erg_scene_build(scene, NULL, NULL, NULL, NULL));
    REFUSED(erg_scene_find("pile", NULL, 9, NULL));
    erg_run_def run = erg_run_def_default();
    run.scene = scene;
    REFUSED(erg_run(&run, NULL, NULL));
    REFUSED(erg_run_keep(&run, NULL, NULL, NULL));
    erg_run_scene_name("pile.yaml", NULL, 9);
    erg_scene_destroy(scene);
    erg_scene_destroy(other);

    erg_picture *picture = NULL;
    CHECK(erg_picture_create(&picture, NULL) == ERG_OK);
    erg_picture_ball(picture, NULL, NULL);
    erg_picture_range(picture, NULL, NULL);
    erg_picture_follow(picture, NULL);
    erg_picture_look_from(picture, NULL);
    CHECK(!erg_picture_seen_at(picture, 32, 32, (erg_vec3){0}, NULL, NULL));
    CHECK(isinf(erg_picture_meet(picture, NULL)));
    REFUSED(erg_picture_set_props(picture, NULL, 1, NULL));
    REFUSED(erg_picture_take(picture, NULL, NULL, NULL, NULL));
    erg_picture_destroy(picture);
}

TEST(those_that_answer_nothing_return)
{
    erg_picture_destroy(NULL);
    erg_picture_turn(NULL, 0);
    erg_picture_set_quality(NULL, (erg_quality)0);
    erg_picture_follow(NULL, NULL);
    erg_picture_look_from(NULL, NULL);
    erg_picture_ball(NULL, NULL, NULL);
    erg_picture_range(NULL, NULL, NULL);
    erg_colour_at((erg_colour_by)0, 0, NULL);
    erg_renderer_overlay(NULL, NULL, 32, 32, 0, 0, 32, 32);
    erg_renderer_destroy(NULL);
    erg_canvas_destroy(NULL);
    erg_mesh_destroy(NULL);
    erg_probes_destroy(NULL);
    erg_replay_close(NULL);
    erg_run_scene_name(NULL, NULL, 1);
    erg_samples_destroy(NULL);
    erg_spread_destroy(NULL);
    erg_scene_destroy(NULL);
    erg_sdf_destroy(NULL);
    erg_world_destroy(NULL);
}

TEST(those_that_point_somewhere_point_nowhere)
{
    CHECK(erg_canvas_pixels(NULL) == NULL);
    CHECK(erg_canvas_rgba(NULL) == NULL);
    CHECK(erg_canvas_device(NULL) == NULL);
    CHECK(erg_mesh_vertices(NULL, NULL) == NULL);
    CHECK(erg_mesh_triangles(NULL, NULL) == NULL);
    CHECK(erg_probes_column_name(NULL, 0) == NULL);
    CHECK(erg_samples_positions(NULL, NULL) == NULL);
    CHECK(erg_spread_at(NULL, 0, NULL) == NULL);
    CHECK(erg_scene_get_settings(NULL) == NULL);
    CHECK(erg_scene_get_look(NULL) == NULL);
    CHECK(erg_scene_text(NULL) == NULL);
    CHECK_STR(erg_world_dt_reason(NULL), "");
    CHECK_STR(erg_world_isa(NULL), "");
    CHECK(erg_world_body_spheres(NULL, 0, NULL, NULL) == NULL);
    CHECK(erg_world_material_name(NULL, 0) == NULL);
}

TEST(those_that_count_give_nothing)
{
    CHECK(!erg_picture_seen_at(NULL, 32, 32, (erg_vec3){0}, NULL, NULL));
    CHECK(isinf(erg_picture_meet(NULL, NULL)));
    CHECK(isinf(erg_picture_meet_wall(NULL, NULL, 0)));
    CHECK(isinf(erg_picture_meet_prop(NULL, NULL, 0)));
    CHECK(isinf(erg_picture_wall_ahead(NULL, NULL)));
    CHECK(!erg_picture_meets_mere_floor(NULL, NULL));
    CHECK(isinf(erg_picture_clearance(NULL, (erg_vec3){0})));
    CHECK(erg_picture_grain_radius(NULL) == 0);
    CHECK(!erg_primitive_find(NULL, NULL));
    CHECK(erg_probes_columns(NULL) == 0);
    CHECK(isinf(erg_probes_period(NULL)));
    CHECK(erg_replay_count(NULL) == 0);
    CHECK(erg_replay_time(NULL, 0) == 0);
    CHECK(erg_replay_nearest(NULL, 0) == 0);
    CHECK(erg_run_result_json(NULL, NULL, NULL, 1) == 0);
    CHECK(erg_spread_count(NULL) == 0);
    CHECK(erg_spread_most(NULL) == 0);
    CHECK(!erg_scene_differs(NULL, NULL, NULL, 1));
    CHECK(isinf(erg_sdf_distance(NULL, (erg_vec3){0}, NULL)));
    CHECK(erg_world_time(NULL) == 0);
    CHECK(erg_world_steps(NULL) == 0);
    CHECK(erg_world_dt(NULL) == 0);
    CHECK(erg_world_skin(NULL) == 0);
    CHECK(erg_world_hash(NULL) == 0);
    CHECK(erg_world_grain_count(NULL) == 0);
    CHECK(erg_world_sphere_count(NULL) == 0);
    CHECK(erg_world_contact_count(NULL) == 0);
    CHECK(erg_world_touching_count(NULL) == 0);
    CHECK(erg_world_expected_bytes(NULL, 1) == 0);
    CHECK(erg_world_wall_count(NULL) == 0);
    CHECK(erg_world_body_count(NULL) == 0);
    CHECK(erg_world_material_count(NULL) == 0);
    CHECK(erg_world_grain_kind_count(NULL) == 0);
    CHECK(erg_world_emitter_count(NULL) == 0);
    CHECK(erg_world_friction(NULL, 0, 0) == 0);
    CHECK(erg_world_emitter_rate(NULL, 0) == 0);
    CHECK(erg_world_emitter_expected(NULL, 0, 0) == 0);
    CHECK(erg_world_kind_material(NULL, 0) == 0);
    CHECK(erg_world_find_material(NULL, NULL) == 0);
    CHECK(erg_world_find_grain_kind(NULL, NULL) == 0);
    CHECK(erg_world_find_wall(NULL, NULL) == 0);
    CHECK(erg_world_find_emitter(NULL, NULL) == 0);
    CHECK(erg_world_find_sink(NULL, NULL) == 0);
    CHECK(erg_world_command_log(NULL, NULL, 1) == 0);
    CHECK(!erg_world_has_upsample(NULL));
    CHECK(erg_world_fine_count(NULL) == 0);
    CHECK(erg_world_fine_expected(NULL) == 0);
    CHECK(erg_fine_radius(NULL, 0) == 0);
    CHECK(erg_fine_position_now(NULL, 0).x == 0);
    CHECK(!erg_world_has_terrain(NULL));
    CHECK(erg_world_terrain_stamp(NULL, 0, 0) == 0);
    CHECK(erg_world_terrain_height(NULL, 0, 0) == 0);
}

TEST(those_that_give_structs_give_empty_ones)
{
    (void)erg_prop_of_mesh(NULL);
    erg_heights_free(NULL);
    (void)erg_picture_eye(NULL);
    (void)erg_picture_ray(NULL, 32, 32, 0, 0);
    (void)erg_renderer_report(NULL);
    (void)erg_canvas_report(NULL);
    (void)erg_mesh_nearest(NULL, (erg_vec3){0}, 0);
    (void)erg_sdf_def_under(NULL);
    (void)erg_sdf_look(NULL);
    (void)erg_world_gravity(NULL);
    (void)erg_world_get_def(NULL);
    CHECK(erg_mesh_nearest(NULL, (erg_vec3){0}, 1).triangle == UINT32_MAX);
    CHECK(erg_world_gravity(NULL).z == 0);
    CHECK(erg_fine_position(NULL, 0).z == 0);
    erg_fine_view none = {0};
    CHECK(erg_fine_position(&none, 0).z == 0);
    CHECK(erg_fine_radius(&none, 0) == 0);
}

TEST_MAIN(those_with_a_status_refuse, of_a_world_that_is_there_too,
          of_a_world_answers_may_be_left_out, of_meshes_and_samples_that_are_there_too,
          of_scenes_and_pictures_that_are_there_too, those_that_answer_nothing_return,
          those_that_point_somewhere_point_nowhere, those_that_count_give_nothing,
          those_that_give_structs_give_empty_ones)
