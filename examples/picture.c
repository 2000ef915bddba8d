// Renders a picture without a window: drops some grains onto a plate and draws them.
//
//     cc picture.c $(pkg-config --cflags --libs erg) && ./a.out
//     300 grains at 0.3 s: picture.png
#include <erg/erg.h>
#include <stdio.h>

static erg_status build(erg_world **world, erg_error *err)
{
    erg_world_def    def = erg_world_def_default();
    erg_material_def sand = erg_material_def_default();
    erg_grain_def    grit = erg_grain_def_default();
    erg_wall_def     plate = erg_wall_def_default(ERG_WALL_PLANE);
    erg_fill_def     fill = erg_fill_def_default();
    erg_status       status = erg_world_create(&def, world, err);
    if (status == ERG_OK) status = erg_world_add_material(*world, &sand, &grit.material, err);
    plate.material = grit.material;
    grit.shape = ERG_SHAPE_TETRAHEDRON;
    grit.sizes.radius = 2e-3;
    if (status == ERG_OK) status = erg_world_add_wall(*world, &plate, NULL, err);
    if (status == ERG_OK) status = erg_world_add_grain_kind(*world, &grit, &fill.grain, err);
    fill.count = 300;
    fill.region = (erg_region){
        .shape = ERG_REGION_CYLINDER, .a = {0, 0, 0.005}, .b = {0, 0, 0.2}, .radius = 0.03};
    if (status == ERG_OK) status = erg_world_fill(*world, &fill, NULL, err);
    return status;
}

static erg_status draw(const erg_world *world, const char *path, erg_error *err)
{
    erg_look     look = erg_look_default(); // the camera is placed automatically
    erg_picture *picture = NULL;
    erg_canvas  *canvas = NULL;
    erg_status   status = erg_picture_create(&picture, err);
    if (status == ERG_OK) status = erg_picture_take(picture, &look, world, NULL, err);
    if (status == ERG_OK) status = erg_canvas_create(640, 360, &canvas, err);
    if (status == ERG_OK) status = erg_canvas_draw(canvas, picture, err);
    if (status == ERG_OK) status = erg_canvas_save(canvas, path, err);
    erg_canvas_destroy(canvas);
    erg_picture_destroy(picture);
    return status;
}

int main(void)
{
    erg_error  err;
    erg_world *world = NULL;
    erg_status status = build(&world, &err);
    if (status == ERG_OK) status = erg_world_run(world, 0.3, NULL, NULL, &err);
    if (status == ERG_OK) status = draw(world, "picture.png", &err);
    if (status == ERG_OK)
        printf("%zu grains at %.1f s: picture.png\n", erg_world_grain_count(world),
               erg_world_time(world));
    else
        fprintf(stderr, "%s\n", err.text);
    erg_world_destroy(world);
    // A build without OpenGL reports ERG_NOT_BUILT, which is not an error of this program.
    return status == ERG_OK || status == ERG_NOT_BUILT ? 0 : 1;
}
