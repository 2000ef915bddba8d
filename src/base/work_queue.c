#include "base/work_queue.h"

#include <stdbool.h>

static uint64_t pack(uint32_t first, uint32_t end)
{
    return (uint64_t)end << 32 | first;
}

static uint32_t first_of(uint64_t rest)
{
    return (uint32_t)rest;
}

static uint32_t end_of(uint64_t rest)
{
    return (uint32_t)(rest >> 32);
}

int ergi_work_queue_first(int numbers, int count, int k)
{
    return (int)((int64_t)numbers * k / count);
}

void ergi_work_queues_fill(ergi_work_queue *queues, int count, int numbers)
{
    for (int k = 0; k < count; k++) {
        uint32_t first = (uint32_t)ergi_work_queue_first(numbers, count, k),
                 end = (uint32_t)ergi_work_queue_first(numbers, count, k + 1);
        atomic_store_explicit(&queues[k].rest, pack(first, end), memory_order_relaxed);
        queues[k].begin = first;
    }
}

static int take_front(ergi_work_queue *queue)
{
    uint64_t rest = atomic_load_explicit(&queue->rest, memory_order_relaxed);
    while (first_of(rest) < end_of(rest))
        if (atomic_compare_exchange_weak_explicit(&queue->rest, &rest,
                                                  pack(first_of(rest) + 1, end_of(rest)),
                                                  memory_order_relaxed, memory_order_relaxed))
            return (int)first_of(rest);
    return -1;
}

static int take_back(ergi_work_queue *queue)
{
    uint64_t rest = atomic_load_explicit(&queue->rest, memory_order_relaxed);
    while (first_of(rest) < end_of(rest))
        if (atomic_compare_exchange_weak_explicit(&queue->rest, &rest,
                                                  pack(first_of(rest), end_of(rest) - 1),
                                                  memory_order_relaxed, memory_order_relaxed))
            return (int)end_of(rest) - 1;
    return -1;
}

int ergi_work_queues_take(ergi_work_queue *queues, int count, int own, int kept)
{
    int taken = take_front(&queues[own]);
    while (taken < 0) {
        int      fullest = -1;
        uint32_t most = 0;
        for (int k = 0; k < count; k++) {
            uint64_t rest = atomic_load_explicit(&queues[k].rest, memory_order_relaxed);
            uint32_t left = end_of(rest) - first_of(rest);
            bool     at_work = first_of(rest) > queues[k].begin;
            if (left <= most || (at_work && left <= (uint32_t)kept)) continue;
            most = left;
            fullest = k;
        }
        if (fullest < 0) return -1;
        taken = take_back(&queues[fullest]);
    }
    return taken;
}
