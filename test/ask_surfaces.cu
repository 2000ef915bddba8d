// The questions as nvcc reads them: on the host, and on a device where there is one.
#include "ask_surfaces.h"

#include <vector>

extern "C" bool ask_here(const ask_things *things, const erg_vec3 *point, size_t points,
                         double *out)
{
    ask_all(things, point, points, out);
    return true;
}

// ---- On the device -----------------------------------------------------------------------------
static __global__ void ask_one(ask_things things, const erg_vec3 *point, size_t points, double *out)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x, each = ask_count(&things);
    if (i < points * each) ask(&things, i % each, point[i / each], out + ASK_NUMBERS * i);
}

// Arrays in the device's memory, freed together.
struct device_arrays {
    std::vector<void *> held;
    bool                failed = false;

    ~device_arrays()
    {
        for (void *array : held) cudaFree(array);
    }
    void *room(size_t bytes)
    {
        void *array = nullptr;
        if (cudaMalloc(&array, bytes ? bytes : 1) != cudaSuccess) failed = true;
        if (array) held.push_back(array);
        return array;
    }
    template <typename T> T *copy(const T *from, size_t count)
    {
        T *to = static_cast<T *>(room(count * sizeof(T)));
        if (to && cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyHostToDevice) != cudaSuccess)
            failed = true;
        return to;
    }
};

static const ergi_mesh_view *copy_mesh(device_arrays &arrays, const ergi_mesh_view *from)
{
    ergi_mesh_view view = *from;
    view.bvh.node = arrays.copy(from->bvh.node, view.bvh.nodes);
    view.bvh.triangle = arrays.copy(from->bvh.triangle, view.bvh.triangles);
    view.triangle = arrays.copy(from->triangle, view.triangles);
    view.edge = arrays.copy(from->edge, 3 * view.triangles);
    view.face_normal = arrays.copy(from->face_normal, view.triangles);
    view.edge_normal = arrays.copy(from->edge_normal, view.edges);
    view.vertex_normal = arrays.copy(from->vertex_normal, view.vertices);
    return arrays.copy(&view, 1);
}

static const ergi_sphere_cloud *copy_cloud(device_arrays &arrays, const ergi_sphere_cloud *from)
{
    ergi_sphere_cloud cloud = *from;
    cloud.centre = arrays.copy(from->centre, cloud.count);
    cloud.grid.point = cloud.centre;
    cloud.grid.cell = arrays.copy(from->grid.cell, cloud.count);
    cloud.grid.item = arrays.copy(from->grid.item, cloud.count);
    cloud.grid.start = arrays.copy(from->grid.start, cloud.grid.bins + 1);
    return arrays.copy(&cloud, 1);
}

static const ergi_height_field *copy_heights(device_arrays &arrays, const ergi_height_field *from)
{
    ergi_height_field field = *from;
    size_t            up = ((size_t)field.count[1] + (size_t)field.side - 1) / (size_t)field.side;
    field.surface =
        arrays.copy(from->surface, (size_t)field.blocks * up * (size_t)(field.side * field.side));
    field.sphere = arrays.copy(from->sphere, 4 * field.spheres);
    for (int k = 0; k < 4; k++)
        if (from->light[k]) field.light[k] = arrays.copy(from->light[k], field.spheres);
    field.feature = arrays.copy(from->feature, field.spheres);
    field.cells = arrays.copy(from->cells, (size_t)1 << field.bits);
    return arrays.copy(&field, 1);
}

static const ergi_distance_field *copy_field(device_arrays &arrays, const ergi_distance_field *from)
{
    ergi_distance_field field = *from;
    size_t blocks = (size_t)field.blocks[0] * (size_t)field.blocks[1] * (size_t)field.blocks[2];
    field.block = arrays.copy(from->block, blocks);
    field.distance = arrays.copy(from->distance, field.kept * ERGI_FIELD_POINTS);
    return arrays.copy(&field, 1);
}

extern "C" bool ask_on_device(const ask_things *things, const erg_vec3 *point, size_t points,
                              double *out)
{
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return false;
    device_arrays             arrays;
    ask_things                there = *things;
    std::vector<ergi_surface> surface(things->surface, things->surface + things->surfaces);
    for (ergi_surface &s : surface) {
        if (s.mesh) s.mesh = copy_mesh(arrays, s.mesh);
        if (s.cloud) s.cloud = copy_cloud(arrays, s.cloud);
        if (s.heights) s.heights = copy_heights(arrays, s.heights);
    }
    size_t answers = points * ask_count(things), bytes = answers * ASK_NUMBERS * sizeof(double);
    there.surface = arrays.copy(surface.data(), surface.size());
    there.field = copy_field(arrays, things->field);
    const erg_vec3 *asked = arrays.copy(point, points);
    double         *answer = static_cast<double *>(arrays.room(bytes));
    if (!arrays.failed)
        ask_one<<<(unsigned)((answers + 63) / 64), 64>>>(there, asked, points, answer);
    cudaError_t error = cudaGetLastError();
    if (error == cudaErrorNoKernelImageForDevice) return false; // an older device
    if (error == cudaSuccess) error = cudaMemcpy(out, answer, bytes, cudaMemcpyDeviceToHost);
    if (arrays.failed || error != cudaSuccess)
        memset(out, 0xff, bytes); // no number: no answer of these is right
    return true;
}
