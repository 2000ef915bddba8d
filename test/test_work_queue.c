// labels: asan tsan clang
#include "base/work_queue.h"

#include "base/threads.h"
#include "check.h"

enum { NUMBERS = 1000, PARTS = 3 };

typedef struct taking {
    ergi_work_queue queues[PARTS];
    _Atomic int     taken[NUMBERS];
} taking;

static void take_all(void *ctx, int part)
{
    taking *t = ctx;
    for (int k; (k = ergi_work_queues_take(t->queues, PARTS, part, 0)) >= 0;) t->taken[k]++;
}

TEST(every_number_is_taken_once)
{
    static taking t;
    ergi_threads  threads = {.count = PARTS};
    for (int round = 0; round < 50; round++) {
        int wrong = 0;
        for (int k = 0; k < NUMBERS; k++) t.taken[k] = 0;
        ergi_work_queues_fill(t.queues, PARTS, NUMBERS);
        ergi_parallel_parts(&threads, PARTS, take_all, &t);
        for (int k = 0; k < NUMBERS; k++) wrong += t.taken[k] != 1;
        CHECK(wrong == 0);
    }
}

TEST(own_numbers_in_order_then_those_of_the_fullest_from_its_back)
{
    ergi_work_queue queues[PARTS];
    ergi_work_queues_fill(queues, PARTS, 9); // 0 1 2, 3 4 5, 6 7 8
    CHECK(ergi_work_queues_take(queues, PARTS, 1, 0) == 3);
    CHECK(ergi_work_queues_take(queues, PARTS, 1, 0) == 4);
    CHECK(ergi_work_queues_take(queues, PARTS, 2, 0) == 6);
    CHECK(ergi_work_queues_take(queues, PARTS, 1, 0) == 5);
    CHECK(ergi_work_queues_take(queues, PARTS, 1, 0) == 2); // of 0 1 2 and 7 8
    CHECK(ergi_work_queues_take(queues, PARTS, 0, 0) == 0);
    CHECK(ergi_work_queues_take(queues, PARTS, 1, 0) == 8);
    CHECK(ergi_work_queues_take(queues, PARTS, 1, 0) == 1);
    CHECK(ergi_work_queues_take(queues, PARTS, 0, 0) == 7);
    CHECK(ergi_work_queues_take(queues, PARTS, 0, 0) == -1);
    CHECK(ergi_work_queues_take(queues, PARTS, 1, 0) == -1);
}

TEST(fewer_numbers_than_shares)
{
    ergi_work_queue queues[PARTS];
    ergi_work_queues_fill(queues, PARTS, 1);
    CHECK(ergi_work_queues_take(queues, PARTS, 0, 0) == 0);
    for (int k = 0; k < PARTS; k++) CHECK(ergi_work_queues_take(queues, PARTS, k, 0) == -1);
    ergi_work_queues_fill(queues, PARTS, 0);
    CHECK(ergi_work_queues_take(queues, PARTS, 2, 0) == -1);
}

TEST(who_is_at_work_keeps_the_last)
{
    ergi_work_queue queues[PARTS];
    ergi_work_queues_fill(queues, PARTS, 9); // 0 1 2, 3 4 5, 6 7 8
    CHECK(ergi_work_queues_take(queues, PARTS, 0, 1) == 0);
    for (int k = 3; k < 6; k++) CHECK(ergi_work_queues_take(queues, PARTS, 1, 1) == k);
    CHECK(ergi_work_queues_take(queues, PARTS, 1, 1) == 8);
    CHECK(ergi_work_queues_take(queues, PARTS, 1, 1) == 2);
    CHECK(ergi_work_queues_take(queues, PARTS, 1, 1) == 7); // of 1, which is kept, and 6 7
    CHECK(ergi_work_queues_take(queues, PARTS, 1, 1) == 6); // nobody is at work there
    CHECK(ergi_work_queues_take(queues, PARTS, 1, 1) == -1);
    CHECK(ergi_work_queues_take(queues, PARTS, 0, 1) == 1);
    CHECK(ergi_work_queues_take(queues, PARTS, 0, 1) == -1);
}

TEST_MAIN(every_number_is_taken_once, own_numbers_in_order_then_those_of_the_fullest_from_its_back,
          fewer_numbers_than_shares, who_is_at_work_keeps_the_last)
