// Compiles shader programs for OpenGL 3.3 core and OpenGL ES 3.0.
#ifndef ERGI_GL_PROGRAM_H
#define ERGI_GL_PROGRAM_H

#include "draw/matrix.h"

#include <epoxy/gl.h>

// `defines` are lines such as "#define LIGHT\n". On failure err holds the driver's message.
erg_status ergi_program_make(const char *vertex, const char *fragment, const char *defines,
                             GLuint *program, erg_error *err);

// For the active program; unknown names are ignored.
void ergi_set_matrix(GLuint program, const char *name, const ergi_matrix *value);
void ergi_set_turn(GLuint program, const char *name, const ergi_matrix *value); // upper-left 3 x 3
void ergi_set_int(GLuint program, const char *name, int value);
void ergi_set_float(GLuint program, const char *name, double value);
void ergi_set_vec2(GLuint program, const char *name, double x, double y);
void ergi_set_vec3(GLuint program, const char *name, const float value[3]);
void ergi_set_vec4(GLuint program, const char *name, const float value[4]);

#endif
