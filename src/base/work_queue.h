// Work stealing. Each thread has a queue of consecutive numbers and takes from its front; a thread
// whose queue is empty steals from the back of the fullest. Each thread thus works on neighbouring
// numbers as long as possible, and no thread waits for one that the system delays. Which thread
// gets a number differs from run to run, so results must not depend on it.
#ifndef ERGI_WORK_QUEUE_H
#define ERGI_WORK_QUEUE_H

#include <stdatomic.h>
#include <stdint.h>

typedef struct ergi_work_queue {
    _Alignas(64) _Atomic uint64_t rest; // left: first in the low half, end in the high half
    uint32_t begin;                     // first number when filled
} ergi_work_queue;

// The first number of queue k of `count`; queue k ends where queue k + 1 begins.
int ergi_work_queue_first(int numbers, int count, int k);

// Divides the numbers 0 .. numbers-1 evenly among the queues.
void ergi_work_queues_fill(ergi_work_queue *queues, int count, int numbers);

// Takes a number for the owner of queue `own`; -1 when none is left. The last `kept` numbers of a
// queue whose owner has started are not stolen: their data is close to the owner's cache and far
// from the thief's.
int ergi_work_queues_take(ergi_work_queue *queues, int count, int own, int kept);

#endif
