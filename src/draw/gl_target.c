#include "draw/gl_target.h"

#include "base/error.h"

static GLuint texture(const ergi_target_def *def, GLenum format, GLint filter)
{
    GLuint id;
    bool   depth = format == GL_DEPTH_COMPONENT24;
    GLenum layout = depth ? GL_DEPTH_COMPONENT : format == GL_R8 ? GL_RED : GL_RGBA;
    GLenum type = depth                   ? GL_UNSIGNED_INT
                  : format == GL_RGB10_A2 ? GL_UNSIGNED_INT_2_10_10_10_REV
                                          : GL_UNSIGNED_BYTE;
    glGenTextures(1, &id);
    glBindTexture(GL_TEXTURE_2D, id);
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)format, def->width, def->height, 0, layout, type, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    if (depth && def->compare) {
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    }
    return id;
}

static bool matches(const ergi_target *t, const ergi_target_def *def)
{
    return t->frame && t->width == def->width && t->height == def->height &&
           (!def->shared_depth || def->shared_depth == t->depth);
}

erg_status ergi_target_make(ergi_target *t, const ergi_target_def *def, erg_error *err)
{
    if (matches(t, def)) return ERG_OK;
    ergi_target_free(t);
    t->width = def->width;
    t->height = def->height;
    glGenFramebuffers(1, &t->frame);
    glBindFramebuffer(GL_FRAMEBUFFER, t->frame);
    GLenum buffers[ERGI_TARGET_COLOURS];
    int    count = 0;
    for (int i = 0; i < ERGI_TARGET_COLOURS; i++) {
        if (!def->colour[i]) continue;
        t->colour[i] = texture(def, def->colour[i], def->smooth ? GL_LINEAR : GL_NEAREST);
        buffers[count] = GL_COLOR_ATTACHMENT0 + (GLenum)i;
        glFramebufferTexture2D(GL_FRAMEBUFFER, buffers[count++], GL_TEXTURE_2D, t->colour[i], 0);
    }
    if (def->depth) {
        t->depth = texture(def, GL_DEPTH_COMPONENT24, def->compare ? GL_LINEAR : GL_NEAREST);
        t->own_depth = true;
    } else {
        t->depth = def->shared_depth;
    }
    if (t->depth)
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, t->depth, 0);
    const GLenum none = GL_NONE;
    glDrawBuffers(count ? count : 1, count ? buffers : &none);
    if (count == 0) glReadBuffer(GL_NONE);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE) return ERG_OK;
    ergi_target_free(t);
    return ergi_fail(err, ERG_NO_MEMORY,
                     "the OpenGL driver has not enough memory for a picture of %d x %d", def->width,
                     def->height);
}

void ergi_target_free(ergi_target *t)
{
    if (t->frame) glDeleteFramebuffers(1, &t->frame);
    for (int i = 0; i < ERGI_TARGET_COLOURS; i++)
        if (t->colour[i]) glDeleteTextures(1, &t->colour[i]);
    if (t->own_depth) glDeleteTextures(1, &t->depth);
    *t = (ergi_target){0};
}
