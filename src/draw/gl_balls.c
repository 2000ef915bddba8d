// Draws the visible spheres of a picture, as points and as squares.
#include "base/clock.h"
#include "draw/gl_frame.h"

#include <string.h>

static void set_ball_program(const ergi_frame *f, GLuint program, bool lamp, int width, int height)
{
    glUseProgram(program);
    ergi_set_matrix(program, "view", lamp ? &f->light_view : &f->view);
    ergi_set_matrix(program, "projection", lamp ? &f->light_projection : &f->projection);
    ergi_set_vec2(program, "viewport", width, height);
    // From pixels through -1..1 back to eye coordinates; and from eye depth to 0..1.
    const float *m = lamp ? f->light_projection.m : f->projection.m;
    const float  window[4] = {2 / ((float)width * m[0]), 2 / ((float)height * m[5]), -1 / m[0],
                              -1 / m[5]};
    ergi_set_vec4(program, "window", window);
    if (lamp)
        ergi_set_vec2(program, "depths", 0.5 * (double)m[10], 0.5 * (double)m[14] + 0.5);
    else
        ergi_set_vec2(program, "depths", -0.5 * (double)m[14], 0.5 - 0.5 * (double)m[10]);
    ergi_set_vec4(program, "cut", lamp ? f->light_cut : f->cut);
    ergi_set_float(program, "size_unit", f->size_unit);
}

static void upload_balls(const ergi_ball *balls, size_t count)
{
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * sizeof *balls), balls, GL_STREAM_DRAW);
}

erg_status ergi_cull_frame(ergi_frame *f)
{
    double     start = ergi_clock_seconds();
    erg_status status = ERG_OK;
    for (int lamp = 0; lamp < 2 && status == ERG_OK; lamp++) {
        ergi_cull_view sight = {.view = lamp ? f->light_view : f->view,
                                .projection = lamp ? f->light_projection : f->projection,
                                .parallel = lamp,
                                .hide = f->p->look.cull,
                                .mean = f->p->mean,
                                .width = lamp ? f->shadow_size : f->width * f->scale,
                                .height = lamp ? f->shadow_size : f->height * f->scale,
                                .largest_point = f->r->largest_point,
                                .threads = {.count = f->p->threads}};
        memcpy(sight.cut, lamp ? f->light_cut : f->cut, sizeof sight.cut);
        if (lamp && !f->p->look.light.shadows) continue;
        status = ergi_cull_spheres(f->r->cull[lamp], f->p->balls, f->p->ball_count, &sight,
                                   &f->seen[lamp], f->err);
    }
    f->r->report.drawn = f->seen[0].point_count + f->seen[0].square_count;
    f->r->report.shading = f->seen[1].point_count + f->seen[1].square_count;
    f->r->report.cull_s = ergi_clock_seconds() - start;
    return status;
}

static GLuint program_of(const ergi_frame *f, ergi_program_name plain)
{
    return f->r->program[plain + (f->p->look.cut ? ERGI_PROGRAM_BALL_CUT : 0)];
}

void ergi_draw_spheres(const ergi_frame *f, bool lamp, int width, int height)
{
    const erg_renderer *r = f->r;
    const ergi_visible *seen = &f->seen[lamp];
    glBindVertexArray(r->balls);
    glBindBuffer(GL_ARRAY_BUFFER, r->ball_buffer);
    if (seen->point_count) {
        set_ball_program(
            f, program_of(f, lamp ? ERGI_PROGRAM_SHADOW_POINTS : ERGI_PROGRAM_BALL_POINTS), lamp,
            width, height);
        upload_balls(seen->points, seen->point_count);
        glDrawArrays(GL_POINTS, 0, (GLsizei)seen->point_count);
    }
    if (seen->square_count) {
        set_ball_program(
            f, program_of(f, lamp ? ERGI_PROGRAM_SHADOW_SQUARES : ERGI_PROGRAM_BALL_SQUARES), lamp,
            width, height);
        upload_balls(seen->squares, seen->square_count);
        for (GLuint i = 0; i < 2; i++) glVertexAttribDivisor(i, 1);
        glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)seen->square_count);
        for (GLuint i = 0; i < 2; i++) glVertexAttribDivisor(i, 0);
    }
}
