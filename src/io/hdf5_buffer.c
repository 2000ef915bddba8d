#include "io/hdf5_buffer.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if ERG_WITH_HDF5

#include <hdf5.h>

struct ergi_hdf5_buffer {
    hid_t  file;
    size_t room; // capacity of the buffer in which HDF5 builds the file [bytes]
};

// HDF5 usually crashes when it runs out of memory. So before each call we allocate as much as it
// may need and free it again: if that succeeds, HDF5 will find enough.
enum { HDF5_WANTS = 8 << 20, NAMES_ROOM = 1 << 18 };

static bool memory_for_hdf5(size_t bytes)
{
    char *volatile block = bytes < SIZE_MAX - HDF5_WANTS ? malloc(bytes + HDF5_WANTS) : NULL;
    if (!block) return false;
    *block = 0;
    free(block);
    return true;
}

erg_status ergi_hdf5_buffer_built(erg_error *err)
{
    (void)err;
    return ERG_OK;
}

// Functions rather than tables: HDF5 stores its types in variables that it sets when it is opened.
static hid_t stored_type(ergi_container_type type)
{
    switch (type) {
    case ERGI_CONTAINER_U8: return H5T_STD_U8LE;
    case ERGI_CONTAINER_U16: return H5T_STD_U16LE;
    case ERGI_CONTAINER_U32: return H5T_STD_U32LE;
    case ERGI_CONTAINER_I32: return H5T_STD_I32LE;
    case ERGI_CONTAINER_U64: return H5T_STD_U64LE;
    case ERGI_CONTAINER_I64: return H5T_STD_I64LE;
    case ERGI_CONTAINER_F32: return H5T_IEEE_F32LE;
    case ERGI_CONTAINER_F64: return H5T_IEEE_F64LE;
    }
    return -1;
}

static hid_t memory_type(ergi_container_type type)
{
    switch (type) {
    case ERGI_CONTAINER_U8: return H5T_NATIVE_UINT8;
    case ERGI_CONTAINER_U16: return H5T_NATIVE_UINT16;
    case ERGI_CONTAINER_U32: return H5T_NATIVE_UINT32;
    case ERGI_CONTAINER_I32: return H5T_NATIVE_INT32;
    case ERGI_CONTAINER_U64: return H5T_NATIVE_UINT64;
    case ERGI_CONTAINER_I64: return H5T_NATIVE_INT64;
    case ERGI_CONTAINER_F32: return H5T_NATIVE_FLOAT;
    case ERGI_CONTAINER_F64: return H5T_NATIVE_DOUBLE;
    }
    return -1;
}

// HDF5 treats two files in memory with the same name as one file, so each is named after the
// address of an object that it alone owns.
static void name_by_address(const void *owner, char name[32])
{
    snprintf(name, 32, "erg-%p", owner);
}

static hid_t create_file(const void *owner, size_t user_block, size_t room)
{
    char name[32];
    name_by_address(owner, name);
    hid_t file = -1;
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_FILE_CREATE);
    // Capacity for the whole file, so that HDF5 allocates only once.
    if (access >= 0 && creation >= 0 && H5Pset_fapl_core(access, room, 0) >= 0 &&
        H5Pset_userblock(creation, user_block) >= 0 && H5Pset_obj_track_times(creation, 0) >= 0)
        file = H5Fcreate(name, H5F_ACC_TRUNC, creation, access);
    H5Pclose(access);
    H5Pclose(creation);
    return file;
}

erg_status ergi_hdf5_buffer_create(size_t user_block, size_t room, ergi_hdf5_buffer **out,
                                   erg_error *err)
{
    *out = NULL;
    ergi_hdf5_buffer *image = malloc(sizeof *image);
    if (!image) return ergi_fail_memory(err, sizeof *image, "an HDF5 file");
    image->room = room + room / 16 + NAMES_ROOM; // the data and the HDF5 metadata
    if (!memory_for_hdf5(2 * image->room)) {     // the buffer and the finished file
        free(image);
        return ergi_fail_memory(err, 2 * room + HDF5_WANTS, "an HDF5 file");
    }
    H5E_BEGIN_TRY
    {
        image->file = create_file(image, user_block, image->room);
    }
    H5E_END_TRY;
    if (image->file < 0) {
        free(image);
        return ergi_fail_memory(err, room, "an HDF5 file");
    }
    *out = image;
    return ERG_OK;
}

void ergi_hdf5_buffer_free(ergi_hdf5_buffer *image)
{
    if (!image) return;
    H5E_BEGIN_TRY
    {
        H5Fclose(image->file);
    }
    H5E_END_TRY;
    free(image);
}

static bool add_dataset(hid_t file, const ergi_container_item *item)
{
    hsize_t dims[2] = {item->rows, (hsize_t)item->columns};
    hid_t   links = H5Pcreate(H5P_LINK_CREATE), creation = H5Pcreate(H5P_DATASET_CREATE);
    hid_t   space = H5Screate_simple(item->columns > 1 ? 2 : 1, dims, NULL), set = -1;
    if (H5Pset_create_intermediate_group(links, 1) >= 0 && H5Pset_obj_track_times(creation, 0) >= 0)
        set = H5Dcreate2(file, item->name, stored_type(item->type), space, links, creation,
                         H5P_DEFAULT);
    bool good = set >= 0;
    if (good && item->rows > 0)
        good =
            H5Dwrite(set, memory_type(item->type), H5S_ALL, H5S_ALL, H5P_DEFAULT, item->data) >= 0;
    if (H5Dclose(set) < 0) good = false;
    H5Sclose(space);
    H5Pclose(creation);
    H5Pclose(links);
    return good;
}

erg_status ergi_hdf5_buffer_add(ergi_hdf5_buffer *image, const ergi_container_item *item,
                                erg_error *err)
{
    bool good = false;
    // HDF5 allocates the buffer when it writes the first data.
    if (!memory_for_hdf5(image->room)) return ergi_fail_memory(err, image->room, "an HDF5 file");
    H5E_BEGIN_TRY
    {
        good = add_dataset(image->file, item);
    }
    H5E_END_TRY;
    if (good) return ERG_OK;
    return ergi_fail(err, ERG_NO_MEMORY,
                     "HDF5 could not hold the array %s of %zu rows: out of memory, or part of its "
                     "name is another array",
                     item->name, item->rows);
}

static bool map_piece(hid_t creation, hid_t whole, const ergi_container_item *item, size_t first,
                      const ergi_hdf5_buffer_piece *piece)
{
    int     rank = item->columns > 1 ? 2 : 1;
    hsize_t from[2] = {first, 0}, size[2] = {piece->rows, (hsize_t)item->columns};
    hid_t   own = H5Screate_simple(rank, size, NULL);
    bool    good = H5Sselect_hyperslab(whole, H5S_SELECT_SET, from, NULL, size, NULL) >= 0 &&
                H5Pset_virtual(creation, whole, piece->file, item->name, own) >= 0;
    H5Sclose(own);
    return good;
}

static bool add_virtual(hid_t file, const ergi_container_item *item,
                        const ergi_hdf5_buffer_piece *pieces, size_t count)
{
    hsize_t dims[2] = {item->rows, (hsize_t)item->columns};
    hid_t   links = H5Pcreate(H5P_LINK_CREATE), creation = H5Pcreate(H5P_DATASET_CREATE);
    hid_t   space = H5Screate_simple(item->columns > 1 ? 2 : 1, dims, NULL), set = -1;
    bool    good =
        H5Pset_create_intermediate_group(links, 1) >= 0 && H5Pset_obj_track_times(creation, 0) >= 0;
    for (size_t i = 0, first = 0; i < count && good; first += pieces[i++].rows)
        if (pieces[i].rows) good = map_piece(creation, space, item, first, &pieces[i]);
    H5Sselect_all(space);
    if (good)
        set = H5Dcreate2(file, item->name, stored_type(item->type), space, links, creation,
                         H5P_DEFAULT);
    good = good && set >= 0;
    if (H5Dclose(set) < 0) good = false;
    H5Sclose(space);
    H5Pclose(creation);
    H5Pclose(links);
    return good;
}

erg_status ergi_hdf5_buffer_add_virtual(ergi_hdf5_buffer *image, const ergi_container_item *item,
                                        const ergi_hdf5_buffer_piece *pieces, size_t count,
                                        erg_error *err)
{
    bool good = false;
    if (!memory_for_hdf5(image->room)) return ergi_fail_memory(err, image->room, "an HDF5 file");
    H5E_BEGIN_TRY
    {
        good = add_virtual(image->file, item, pieces, count);
    }
    H5E_END_TRY;
    if (good) return ERG_OK;
    return ergi_fail(err, ERG_NO_MEMORY, "HDF5 could not hold the list of files of the array %s",
                     item->name);
}

static bool set_attribute(hid_t file, const char *group, const char *name, hid_t stored,
                          hid_t memory, hid_t space, const void *data)
{
    hid_t at = H5Gopen2(file, group, H5P_DEFAULT);
    hid_t attribute = H5Acreate2(at, name, stored, space, H5P_DEFAULT, H5P_DEFAULT);
    bool  good = H5Awrite(attribute, memory, data) >= 0;
    H5Aclose(attribute);
    H5Gclose(at);
    return good;
}

static erg_status fail_attribute(const char *group, const char *name, erg_error *err)
{
    return ergi_fail(err, ERG_NO_MEMORY, "HDF5 could not hold the attribute %s of %s", name, group);
}

erg_status ergi_hdf5_buffer_set_integers(ergi_hdf5_buffer *image, const char *group,
                                         const char *name, const int64_t *values, size_t count,
                                         erg_error *err)
{
    bool good = false;
    if (!memory_for_hdf5(0)) return fail_attribute(group, name, err);
    H5E_BEGIN_TRY
    {
        hsize_t dims = count;
        hid_t   space = H5Screate_simple(1, &dims, NULL);
        good =
            set_attribute(image->file, group, name, H5T_STD_I64LE, H5T_NATIVE_INT64, space, values);
        H5Sclose(space);
    }
    H5E_END_TRY;
    return good ? ERG_OK : fail_attribute(group, name, err);
}

erg_status ergi_hdf5_buffer_set_text(ergi_hdf5_buffer *image, const char *group, const char *name,
                                     const char *text, erg_error *err)
{
    bool good = false;
    if (!memory_for_hdf5(0)) return fail_attribute(group, name, err);
    H5E_BEGIN_TRY
    {
        hid_t space = H5Screate(H5S_SCALAR), type = H5Tcopy(H5T_C_S1);
        if (H5Tset_size(type, strlen(text)) >= 0 && H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0)
            good = set_attribute(image->file, group, name, type, type, space, text);
        H5Tclose(type);
        H5Sclose(space);
    }
    H5E_END_TRY;
    return good ? ERG_OK : fail_attribute(group, name, err);
}

erg_status ergi_hdf5_buffer_finish(ergi_hdf5_buffer *image, unsigned char **bytes, size_t *size,
                                   erg_error *err)
{
    *bytes = NULL;
    *size = 0;
    ssize_t length = -1;
    if (!memory_for_hdf5(image->room)) return ergi_fail_memory(err, image->room, "an HDF5 file");
    H5E_BEGIN_TRY
    {
        if (H5Fflush(image->file, H5F_SCOPE_GLOBAL) >= 0)
            length = H5Fget_file_image(image->file, NULL, 0);
        if (length > 0) *bytes = malloc((size_t)length);
        if (*bytes && H5Fget_file_image(image->file, *bytes, (size_t)length) != length) {
            free(*bytes);
            *bytes = NULL;
        }
    }
    H5E_END_TRY;
    if (!*bytes) return ergi_fail_memory(err, length > 0 ? (size_t)length : 0, "an HDF5 file");
    *size = (size_t)length;
    return ERG_OK;
}

// The items read so far; `status`, `where` and `why` describe the first failure.
typedef struct reading {
    ergi_container_item *items;
    size_t               count, room;
    erg_status           status;
    const char          *why;
    char                 where[256], too_large[160];
    size_t               file_bytes; // size of the whole file
    size_t               data_bytes; // of all arrays so far
    size_t               links;      // visited so far; limited, because a group may contain itself
} reading;

enum { MOST_LINKS = 4096 };

static void stop(reading *read, erg_status status, const char *name, const char *why)
{
    if (read->status != ERG_OK) return;
    read->status = status;
    read->why = why;
    snprintf(read->where, sizeof read->where, "%s", name);
}

static bool find_type(hid_t stored, ergi_container_type *type)
{
    for (int t = ERGI_CONTAINER_U8; t <= ERGI_CONTAINER_F64; t++) {
        *type = (ergi_container_type)t;
        if (H5Tequal(stored, stored_type(*type)) > 0) return true;
    }
    return false;
}

// Fills type, columns and rows of `item`; false if erg never writes such an array.
static bool read_shape(hid_t set, ergi_container_item *item)
{
    hsize_t dims[2] = {0, 1};
    hid_t   stored = H5Dget_type(set), space = H5Dget_space(set);
    int     rank = H5Sget_simple_extent_ndims(space);
    bool    good = find_type(stored, &item->type) && (rank == 1 || rank == 2) &&
                H5Sget_simple_extent_dims(space, dims, NULL) == rank && dims[1] >= 1 &&
                dims[1] <= ERGI_CONTAINER_MAX_COLUMNS && dims[0] <= (hsize_t)SIZE_MAX / 256;
    H5Sclose(space);
    H5Tclose(stored);
    item->rows = (size_t)dims[0];
    item->columns = (int)dims[1];
    return good;
}

static ergi_container_item *grow(reading *read)
{
    if (read->count == read->room) {
        size_t               room = read->room ? 2 * read->room : 32;
        ergi_container_item *items = realloc(read->items, room * sizeof *items);
        if (!items) return NULL;
        read->items = items;
        read->room = room;
    }
    return &read->items[read->count];
}

// erg writes datasets contiguous and uncompressed: no chunks, filters, external or virtual parts.
// Such a dataset cannot claim to be larger than the file.
static bool is_plain(hid_t set, size_t bytes)
{
    hid_t creation = H5Dget_create_plist(set);
    bool  plain = H5Pget_layout(creation) == H5D_CONTIGUOUS && H5Pget_nfilters(creation) == 0 &&
                 H5Pget_external_count(creation) == 0 && H5Dget_storage_size(set) == bytes &&
                 (bytes == 0 || H5Dget_offset(set) != HADDR_UNDEF);
    H5Pclose(creation);
    return plain;
}

static void read_dataset(reading *read, hid_t set, const char *name)
{
    ergi_container_item item = {0};
    if (!read_shape(set, &item)) {
        stop(read, ERG_BAD_INPUT, name, "has a type or shape that erg does not write");
        return;
    }
    size_t bytes = item.rows * (size_t)item.columns * ergi_container_type_size(item.type);
    if (bytes > read->file_bytes) {
        snprintf(read->too_large, sizeof read->too_large,
                 "claims %zu bytes, the whole file has %zu: erg did not write it", bytes,
                 read->file_bytes);
        stop(read, ERG_BAD_INPUT, name, read->too_large);
        return;
    }
    if (!is_plain(set, bytes)) {
        stop(read, ERG_BAD_INPUT, name,
             "is not stored in one piece within the file: erg did not write it");
        return;
    }
    char                *own_name = malloc(strlen(name) + 1);
    void                *data = malloc(bytes ? bytes : 1);
    ergi_container_item *slot = grow(read);
    if (!own_name || !data || !slot || !memory_for_hdf5(0)) {
        stop(read, ERG_NO_MEMORY, name, "does not fit into memory");
    } else if (item.rows > 0 &&
               H5Dread(set, memory_type(item.type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) {
        stop(read, ERG_BAD_INPUT, name, "could not be read by HDF5");
    }
    if (read->status != ERG_OK) {
        free(own_name);
        free(data);
        return;
    }
    strcpy(own_name, name);
    item.name = own_name;
    item.data = data;
    *slot = item;
    read->count++;
    read->data_bytes += bytes;
    if (read->data_bytes > read->file_bytes)
        stop(read, ERG_BAD_INPUT, name,
             "shares its place in the file with another array: erg did not write it");
}

// Iterates by index, because those functions have the same signature in all versions of HDF5.
static void read_group(reading *read, hid_t group, const char *prefix, int depth)
{
    H5G_info_t info;
    if (depth > 8 || H5Gget_info(group, &info) < 0) {
        stop(read, ERG_BAD_INPUT, prefix, "is not a group that erg writes");
        return;
    }
    for (hsize_t i = 0; i < info.nlinks && read->status == ERG_OK; i++) {
        char   name[512], link[256];
        size_t start = strlen(prefix);
        if (H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, link, sizeof link,
                               H5P_DEFAULT) < 0 ||
            start + strlen(link) + 2 > sizeof name) {
            stop(read, ERG_BAD_INPUT, prefix, "holds a name that erg does not write");
            return;
        }
        snprintf(name, sizeof name, "%s%s%s", prefix, start ? "/" : "", link);
        if (++read->links > MOST_LINKS || !memory_for_hdf5(0)) {
            stop(read, read->links > MOST_LINKS ? ERG_BAD_INPUT : ERG_NO_MEMORY, name,
                 "is one array too many");
            return;
        }
        // Soft and external links lead out of the group or the file.
        H5L_info_t kind;
        if (H5Lget_info(group, link, &kind, H5P_DEFAULT) < 0 || kind.type != H5L_TYPE_HARD) {
            stop(read, ERG_BAD_INPUT, name, "is an external link: erg did not write it");
            return;
        }
        hid_t object = H5Oopen(group, link, H5P_DEFAULT);
        switch (H5Iget_type(object)) {
        case H5I_DATASET: read_dataset(read, object, name); break;
        case H5I_GROUP: read_group(read, object, name, depth + 1); break;
        default: stop(read, ERG_BAD_INPUT, name, "is neither an array nor a group"); break;
        }
        H5Oclose(object);
    }
}

static hid_t open_file(const unsigned char *bytes, size_t size)
{
    char name[32];
    name_by_address(bytes, name);
    hid_t file = -1, access = H5Pcreate(H5P_FILE_ACCESS);
    // HDF5 copies the image and does not write to ours, although the parameter is not const.
    if (H5Pset_fapl_core(access, 1 << 16, 0) >= 0 &&
        H5Pset_file_image(access, (void *)(uintptr_t)bytes, size) >= 0)
        file = H5Fopen(name, H5F_ACC_RDONLY, access);
    H5Pclose(access);
    return file;
}

erg_status ergi_hdf5_buffer_read(const unsigned char *bytes, size_t size, const char *path,
                                 ergi_container_item **items, size_t *count, erg_error *err)
{
    *items = NULL;
    *count = 0;
    reading read = {.file_bytes = size};
    // HDF5 makes up to three copies of the bytes while it opens them.
    if (size > SIZE_MAX / 4 || !memory_for_hdf5(3 * size))
        return ergi_fail(err, ERG_NO_MEMORY, "%s: out of memory: %zu bytes for reading it", path,
                         size);
    H5E_BEGIN_TRY
    {
        hid_t file = open_file(bytes, size);
        hid_t root = H5Gopen2(file, "/", H5P_DEFAULT);
        if (root >= 0)
            read_group(&read, root, "", 0);
        else
            stop(&read, ERG_BAD_INPUT, "the file", "could not be opened by HDF5");
        H5Gclose(root);
        H5Fclose(file);
    }
    H5E_END_TRY;
    if (read.status != ERG_OK) {
        ergi_hdf5_buffer_free_items(read.items, read.count);
        bool damaged = read.status == ERG_BAD_INPUT;
        return damaged ? ergi_fail_code(err, ERG_ERROR_BAD_FILE, "%s: %s %s", path, read.where,
                                        read.why)
                       : ergi_fail(err, read.status, "%s: %s %s", path, read.where, read.why);
    }
    *items = read.items;
    *count = read.count;
    return ERG_OK;
}

void ergi_hdf5_buffer_free_items(ergi_container_item *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free((void *)(uintptr_t)items[i].name);
        free((void *)(uintptr_t)items[i].data);
    }
    free(items);
}

#else

erg_status ergi_hdf5_buffer_built(erg_error *err)
{
    return ergi_fail(err, ERG_NOT_BUILT,
                     "this build of erg has no HDF5; for checkpoints and VTKHDF snapshots install "
                     "libhdf5-dev and rebuild erg");
}

erg_status ergi_hdf5_buffer_create(size_t user_block, size_t room, ergi_hdf5_buffer **out,
                                   erg_error *err)
{
    (void)user_block, (void)room;
    *out = NULL;
    return ergi_hdf5_buffer_built(err);
}

void ergi_hdf5_buffer_free(ergi_hdf5_buffer *image)
{
    (void)image;
}

erg_status ergi_hdf5_buffer_add(ergi_hdf5_buffer *image, const ergi_container_item *item,
                                erg_error *err)
{
    (void)image, (void)item;
    return ergi_hdf5_buffer_built(err);
}

erg_status ergi_hdf5_buffer_add_virtual(ergi_hdf5_buffer *image, const ergi_container_item *item,
                                        const ergi_hdf5_buffer_piece *pieces, size_t count,
                                        erg_error *err)
{
    (void)image, (void)item, (void)pieces, (void)count;
    return ergi_hdf5_buffer_built(err);
}

erg_status ergi_hdf5_buffer_set_integers(ergi_hdf5_buffer *image, const char *group,
                                         const char *name, const int64_t *values, size_t count,
                                         erg_error *err)
{
    (void)image, (void)group, (void)name, (void)values, (void)count;
    return ergi_hdf5_buffer_built(err);
}

erg_status ergi_hdf5_buffer_set_text(ergi_hdf5_buffer *image, const char *group, const char *name,
                                     const char *text, erg_error *err)
{
    (void)image, (void)group, (void)name, (void)text;
    return ergi_hdf5_buffer_built(err);
}

erg_status ergi_hdf5_buffer_finish(ergi_hdf5_buffer *image, unsigned char **bytes, size_t *size,
                                   erg_error *err)
{
    (void)image;
    *bytes = NULL;
    *size = 0;
    return ergi_hdf5_buffer_built(err);
}

erg_status ergi_hdf5_buffer_read(const unsigned char *bytes, size_t size, const char *path,
                                 ergi_container_item **items, size_t *count, erg_error *err)
{
    (void)bytes, (void)size, (void)path;
    *items = NULL;
    *count = 0;
    return ergi_hdf5_buffer_built(err);
}

void ergi_hdf5_buffer_free_items(ergi_container_item *items, size_t count)
{
    (void)items, (void)count;
}

#endif
