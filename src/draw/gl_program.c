#include "draw/gl_program.h"

#include "base/error.h"

#include <stdio.h>

static const char *version_header(void)
{
    return epoxy_is_desktop_gl() ? "#version 330 core\n"
                                 : "#version 300 es\nprecision highp float;\nprecision highp int;\n"
                                   "precision highp sampler2D;\nprecision highp sampler2DShadow;\n"
                                   "precision highp sampler3D;\n";
}

static erg_status compile(GLenum kind, const char *source, const char *defines, GLuint *shader,
                          erg_error *err)
{
    const char *parts[] = {version_header(), defines, "#line 1\n", source};
    *shader = glCreateShader(kind);
    glShaderSource(*shader, 4, parts, NULL);
    glCompileShader(*shader);
    GLint good = 0;
    glGetShaderiv(*shader, GL_COMPILE_STATUS, &good);
    if (good) return ERG_OK;
    char text[1024] = "";
    glGetShaderInfoLog(*shader, sizeof text, NULL, text);
    return ergi_fail(err, ERG_NOT_BUILT, "the OpenGL driver rejected a %s shader: %s",
                     kind == GL_VERTEX_SHADER ? "vertex" : "fragment", text);
}

erg_status ergi_program_make(const char *vertex, const char *fragment, const char *defines,
                             GLuint *program, erg_error *err)
{
    GLuint     shader[2] = {0, 0};
    erg_status status = compile(GL_VERTEX_SHADER, vertex, defines, &shader[0], err);
    if (status == ERG_OK) status = compile(GL_FRAGMENT_SHADER, fragment, defines, &shader[1], err);
    if (status == ERG_OK) {
        GLint good = 0;
        *program = glCreateProgram();
        for (int i = 0; i < 2; i++) glAttachShader(*program, shader[i]);
        glLinkProgram(*program);
        glGetProgramiv(*program, GL_LINK_STATUS, &good);
        if (!good) {
            char text[1024] = "";
            glGetProgramInfoLog(*program, sizeof text, NULL, text);
            status = ergi_fail(err, ERG_NOT_BUILT,
                               "the OpenGL driver rejected a shader program: %s", text);
        }
    }
    for (int i = 0; i < 2; i++)
        if (shader[i]) glDeleteShader(shader[i]);
    return status;
}

void ergi_set_matrix(GLuint program, const char *name, const ergi_matrix *value)
{
    glUniformMatrix4fv(glGetUniformLocation(program, name), 1, GL_FALSE, value->m);
}

void ergi_set_turn(GLuint program, const char *name, const ergi_matrix *value)
{
    float turn[9];
    for (int i = 0; i < 9; i++) turn[i] = value->m[4 * (i / 3) + i % 3];
    glUniformMatrix3fv(glGetUniformLocation(program, name), 1, GL_FALSE, turn);
}

void ergi_set_int(GLuint program, const char *name, int value)
{
    glUniform1i(glGetUniformLocation(program, name), value);
}

void ergi_set_float(GLuint program, const char *name, double value)
{
    glUniform1f(glGetUniformLocation(program, name), (GLfloat)value);
}

void ergi_set_vec2(GLuint program, const char *name, double x, double y)
{
    glUniform2f(glGetUniformLocation(program, name), (GLfloat)x, (GLfloat)y);
}

void ergi_set_vec3(GLuint program, const char *name, const float value[3])
{
    glUniform3fv(glGetUniformLocation(program, name), 1, value);
}

void ergi_set_vec4(GLuint program, const char *name, const float value[4])
{
    glUniform4fv(glGetUniformLocation(program, name), 1, value);
}
