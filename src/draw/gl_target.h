// A render target: a framebuffer with its textures.
#ifndef ERGI_GL_TARGET_H
#define ERGI_GL_TARGET_H

#include "erg/base.h"

#include <epoxy/gl.h>

enum { ERGI_TARGET_COLOURS = 2 };

typedef struct ergi_target {
    int    width, height;
    GLuint frame;
    GLuint colour[ERGI_TARGET_COLOURS]; // 0: none
    GLuint depth;
    bool   own_depth;
} ergi_target;

typedef struct ergi_target_def {
    int    width, height;
    GLenum colour[ERGI_TARGET_COLOURS]; // such as GL_RGBA8; 0: none
    bool   smooth;                      // linear filtering of the colours
    bool   depth, compare;              // compare: a shadow map
    GLuint shared_depth;                // of another target; 0: none
} ergi_target_def;

// No-op when the target already matches.
erg_status ergi_target_make(ergi_target *target, const ergi_target_def *def, erg_error *err);
void       ergi_target_free(ergi_target *target);

#endif
