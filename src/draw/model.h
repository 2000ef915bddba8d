// A shape of triangles, ready for drawing: normals that are smooth over gentle edges and break at
// sharp ones. Made once; where it stands is said apart, picture by picture.
#ifndef ERGI_MODEL_H
#define ERGI_MODEL_H

#include "draw/cells.h"
#include "draw/corner.h"
#include "erg/draw.h"

typedef struct ergi_model {
    uint64_t     number; // that the owner of the shape gave it; 0: none
    uint64_t     hash;   // of its triangles
    uint64_t     key;    // of all that OpenGL holds of it
    ergi_corner *corner; // from `middle`
    size_t       corners;
    uint32_t    *index; // three corners a triangle
    size_t       indices;
    size_t       vertices, triangles; // as they were given
    bool         closed;              // and all its triangles agree about the outside
    erg_vec3     middle;              // of its box, in the shape's own frame [m]
    double       half[3];
    double       radius;         // of the ball around `middle` [m]
    bool         cast;           // drawn by its field
    double       spacing, level; // of that [m]
    ergi_cells   field;
    bool         used; // by the picture that is being taken
} ergi_model;

// From the triangles of the prop; what is wrong with them is ERG_BAD_INPUT.
erg_status ergi_model_make(const erg_prop *prop, ergi_model **model, erg_error *err);
void       ergi_model_free(ergi_model *model); // NULL is fine

// Whether the model was made from these triangles.
bool ergi_model_is(const ergi_model *model, const erg_prop *prop);

#endif
