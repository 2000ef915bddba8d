// A triangle mesh prepared for drawing: normals are smooth over smooth edges and split at sharp
// ones. Built once; its poses are given separately for each picture.
#ifndef ERGI_MODEL_H
#define ERGI_MODEL_H

#include "draw/cells.h"
#include "draw/corner.h"
#include "erg/draw.h"

typedef struct ergi_model {
    uint64_t     number; // id from the owner of the shape; 0: none
    uint64_t     hash;   // of the triangles
    uint64_t     key;    // identifies its GPU buffers
    ergi_corner *corner; // relative to `middle`
    size_t       corners;
    uint32_t    *index; // three corners per triangle
    size_t       indices;
    size_t       vertices, triangles; // of the prop
    bool         closed;              // and consistently oriented
    erg_vec3     middle;              // centre of its box, in the shape's own frame [m]
    double       half[3];
    double       radius;         // of the bounding sphere around `middle` [m]
    bool         cast;           // drawn by ray casting of its field
    double       spacing, level; // of the field [m]
    ergi_cells   field;
    bool         used; // by the current picture
} ergi_model;

// From the triangles of the prop; ERG_BAD_INPUT when they are invalid.
erg_status ergi_model_make(const erg_prop *prop, ergi_model **model, erg_error *err);
void       ergi_model_free(ergi_model *model); // accepts NULL

// True when the model was built from these triangles.
bool ergi_model_is(const ergi_model *model, const erg_prop *prop);

#endif
