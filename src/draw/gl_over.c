// Drawn over the lit picture: glass, lines, labels and overlays.
#include "draw/gl_frame.h"

// The destination is premultiplied by alpha, so that a transparent picture can be downsampled and
// blended; an opaque one has alpha 1 everywhere.
static void blend_over(void)
{
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

void ergi_set_glass(const ergi_frame *f, GLuint program)
{
    const float tint[3] = {0.90f, 0.95f, 0.96f};
    glUseProgram(program);
    ergi_set_matrix(program, "view", &f->view);
    ergi_set_matrix(program, "projection", &f->projection);
    ergi_set_vec4(program, "cut", f->cut);
    ergi_set_vec3(program, "lamp", f->lamp);
    ergi_set_vec3(program, "up", f->up);
    ergi_set_vec3(program, "tint", tint);
    ergi_set_float(program, "strength", 1);
}

// The side of vessels towards the camera is drawn as thin glass, so that it stays visible.
static void draw_sheets(const ergi_frame *f, bool towards)
{
    const erg_picture *p = f->p;
    GLuint             program = f->r->program[ERGI_PROGRAM_GLASS];
    ergi_set_glass(f, program);
    ergi_set_float(program, "turned", towards ? 1 : -1);
    glBindVertexArray(f->r->meshes);
    for (size_t i = 0; i < p->sheet_count; i++) {
        const ergi_sheet *sheet = &p->sheets[i];
        bool              glass = sheet->kind == ERGI_SHEET_GLASS;
        if (!glass && (sheet->kind != ERGI_SHEET_VESSEL || !towards)) continue;
        ergi_set_float(program, "strength", glass ? 1.0 : 0.3);
        glDrawArrays(GL_TRIANGLES, (GLint)sheet->first, (GLsizei)sheet->count);
    }
}

// Back to front: far sides first.
static void draw_glass(const ergi_frame *f)
{
    draw_sheets(f, false);
    ergi_draw_prop_glass(f, false);
    ergi_draw_prop_glass(f, true);
    draw_sheets(f, true);
}

static void draw_lines(const ergi_frame *f, size_t first, size_t count)
{
    GLuint program = f->r->program[ERGI_PROGRAM_LINE];
    if (count == 0) return;
    glUseProgram(program);
    ergi_set_matrix(program, "view", &f->view);
    ergi_set_matrix(program, "projection", &f->projection);
    // Half a pixel of the final picture.
    ergi_set_float(program, "least", 0.55 / ((double)f->projection.m[5] * 0.5 * f->height));
    glBindVertexArray(f->r->lines);
    glBindBuffer(GL_ARRAY_BUFFER, f->r->line_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * sizeof *f->p->ribbons),
                 f->p->ribbons + first, GL_STREAM_DRAW);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)count);
}

// Drawn over the lit picture, tested against the opaque depth.
erg_status ergi_draw_transparent(ergi_frame *f)
{
    erg_renderer      *r = f->r;
    const erg_picture *p = f->p;
    glBindFramebuffer(GL_FRAMEBUFFER, r->lit.frame);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, r->geometry.depth,
                           0);
    blend_over();
    glDepthMask(GL_FALSE);
    glEnable(GL_DEPTH_TEST);
    draw_lines(f, 0, p->edge_count);
    draw_glass(f);
    glDisable(GL_DEPTH_TEST);
    draw_lines(f, p->edge_count, p->ribbon_count - p->edge_count);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, 0, 0);
    return ERG_OK;
}

// Draws an image at (x, y) from the top left corner.
static void draw_image(const erg_renderer *r, const uint8_t *rgba, int image_width,
                       int image_height, int x, int y, int width, int height)
{
    GLuint program = r->program[ERGI_PROGRAM_LABEL];
    double x0 = 2.0 * x / width - 1, x1 = x0 + 2.0 * image_width / width;
    double y1 = 1 - 2.0 * y / height, y0 = y1 - 2.0 * image_height / height;
    float  corners[4] = {(float)x0, (float)y0, (float)x1, (float)y1};
    glUseProgram(program);
    ergi_set_vec4(program, "frame", corners);
    ergi_bind_texture(program, "picture", 0, r->label);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, image_width, image_height, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, rgba);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glBindVertexArray(r->nothing);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

void erg_renderer_overlay(erg_renderer *r, const uint8_t *rgba, int width, int height, int x, int y,
                          int window_width, int window_height)
{
    if (!r || !rgba) return;
    glViewport(0, 0, window_width, window_height);
    glDisable(GL_DEPTH_TEST);
    blend_over();
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    draw_image(r, rgba, width, height, x, y, window_width, window_height);
    glDisable(GL_BLEND);
}

static void draw_label(const ergi_frame *f, const ergi_label *label)
{
    if (label->image.rgba)
        draw_image(f->r, label->image.rgba, label->image.width, label->image.height, label->x,
                   label->y, f->width, f->height);
}

// A blit where the sizes are equal, which needs no shader.
static void copy_lit(const ergi_frame *f)
{
    GLuint program = f->r->program[ERGI_PROGRAM_COPY];
    int    w = f->width, h = f->height;
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)f->out);
    glViewport(0, 0, w, h);
    if (f->scale == 1 && f->blits) {
        glBindFramebuffer(GL_READ_FRAMEBUFFER, f->r->lit.frame);
        glBlitFramebuffer(0, 0, w, h, 0, 0, w, h, GL_COLOR_BUFFER_BIT, GL_NEAREST);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)f->out);
        return;
    }
    glUseProgram(program);
    ergi_bind_texture(program, "picture", 0, f->r->lit.colour[0]);
    ergi_draw_screen(f->r);
}

erg_status ergi_draw_out(ergi_frame *f)
{
    copy_lit(f);
    blend_over();
    ergi_label caption, legend = {0};
    erg_status status = ergi_label_caption(f->p, f->width, f->height, &caption, f->err);
    if (status == ERG_OK) status = ergi_label_legend(f->p, f->width, f->height, &legend, f->err);
    if (status == ERG_OK) {
        draw_label(f, &caption);
        draw_label(f, &legend);
    }
    ergi_label_free(&caption);
    ergi_label_free(&legend);
    glDisable(GL_BLEND);
    return status;
}
