// Numbers that threads take one by one. Each thread has a share of consecutive ones and takes from
// its front; a thread whose share is empty takes from the back of the fullest. So neighbours are
// worked on one after the other as long as possible, and nobody waits for a thread that the machine
// holds up. Who takes what differs from run to run: what is done with a number must not depend on
// it.
#ifndef ERGI_WORK_QUEUE_H
#define ERGI_WORK_QUEUE_H

#include <stdatomic.h>
#include <stdint.h>

typedef struct ergi_work_queue {
    _Alignas(64) _Atomic uint64_t rest; // first in the low half, end in the high half
    uint32_t begin;                     // first of all
} ergi_work_queue;

// The first number of share k of `count`; of share k + 1 it is the end of share k.
int ergi_work_queue_first(int numbers, int count, int k);

void ergi_work_queues_fill(ergi_work_queue *queues, int count, int numbers);

// Takes a number for the owner of share `own`; -1 when none is left. Owners that are at work on
// their shares keep the last `kept` of them: what they have near is far from a thread that helps.
int ergi_work_queues_take(ergi_work_queue *queues, int count, int own, int kept);

#endif
