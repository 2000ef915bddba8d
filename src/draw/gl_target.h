// Where passes draw to: a framebuffer with its textures.
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
    bool   smooth;                      // of the colours, when read
    bool   depth, compare;              // compare: the depth is for shadows
    GLuint shared_depth;                // another target's; 0: none
} ergi_target_def;

// Does nothing when the target is as asked for already.
erg_status ergi_target_make(ergi_target *target, const ergi_target_def *def, erg_error *err);
void       ergi_target_free(ergi_target *target);

#endif
