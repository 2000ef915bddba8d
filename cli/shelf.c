#include "shelf.h"

#include "fail.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_scene(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 5 && strcmp(entry->d_name + length - 5, ".yaml") == 0;
}

static char *join(const char *folder, const char *file)
{
    size_t room = strlen(folder) + strlen(file) + 2;
    char  *path = malloc(room);
    if (path) snprintf(path, room, "%s/%s", folder, file);
    return path;
}

erg_status cli_shelf_open(cli_shelf *s, erg_error *err)
{
    struct dirent **entries = NULL;
    *s = (cli_shelf){0};
    erg_status status = erg_scene_find("", s->folder, sizeof s->folder, err);
    if (status != ERG_OK) return status;
    int count = scandir(s->folder, &entries, is_scene, alphasort);
    if (count < 0)
        return cli_fail(err, ERG_BAD_INPUT, "cannot read the folder '%s': %s", s->folder,
                        strerror(errno));
    s->path = calloc((size_t)count + 1, sizeof *s->path);
    for (int i = 0; i < count; i++) {
        char *path = s->path ? join(s->folder, entries[i]->d_name) : NULL;
        if (path) s->path[s->count++] = path;
        free(entries[i]);
    }
    free(entries);
    if (s->count == (size_t)count) return ERG_OK;
    cli_shelf_close(s);
    return cli_fail(err, ERG_NO_MEMORY, "out of memory");
}

void cli_shelf_close(cli_shelf *s)
{
    for (size_t i = 0; i < s->count; i++) free(s->path[i]);
    free(s->path);
    *s = (cli_shelf){0};
}
