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
