// A triangle corner: the vertex attributes of the shaders.
#ifndef ERGI_CORNER_H
#define ERGI_CORNER_H

typedef struct ergi_corner {
    float place[3]; // [m]
    float normal[3];
} ergi_corner;

#endif
