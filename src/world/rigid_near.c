#include "world/rigid_near.h"

#include "base/memory.h"

void ergi_rigid_near_free(ergi_rigid_near *near)
{
    ergi_memory_free(near->pair);
    ergi_memory_free(near->ball);
    ergi_memory_free(near->pose);
    ergi_memory_free(near->contact);
    ergi_memory_free(near->sum);
    ergi_memory_free(near->sweep);
    ergi_memory_free(near->extent);
    *near = (ergi_rigid_near){0};
}

// Without the boxes, whose size only their maker knows: less than a pose each.
size_t ergi_rigid_near_bytes(const ergi_rigid_near *near)
{
    return near->pair_room * sizeof *near->pair + near->ball_room * sizeof *near->ball +
           near->pose_room * sizeof *near->pose + near->contact_room * sizeof *near->contact +
           near->sum_room * sizeof *near->sum + near->sweep_room * sizeof *near->sweep;
}
