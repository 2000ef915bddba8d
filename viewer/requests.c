#include "requests.h"

#include <stdlib.h>
#include <string.h>

static bool reserve(view_requests *r)
{
    if (r->count < r->room) return true;
    size_t        room = r->room ? 2 * r->room : 16;
    view_request *more = realloc(r->request, room * sizeof *more);
    if (!more) return false;
    r->request = more;
    r->room = room;
    return true;
}

bool view_requests_add(view_requests *r, const view_request *request, const char *folder)
{
    view_request *last = r->count ? &r->request[r->count - 1] : NULL;
    if (last && last->kind == VIEW_ASK_SEEK && request->kind == VIEW_ASK_SEEK) {
        last->time = request->time; // a drag on the timeline is faster than the playback
        return true;
    }
    char *copy = folder ? strdup(folder) : NULL;
    if ((folder && !copy) || !reserve(r)) {
        free(copy);
        return false;
    }
    r->request[r->count] = *request;
    r->request[r->count++].folder = copy;
    return true;
}

void view_requests_free(view_requests *r)
{
    for (size_t i = 0; i < r->count; i++) free(r->request[i].folder);
    free(r->request);
    *r = (view_requests){0};
}
