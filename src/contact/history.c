#include "contact/history.h"

#include <string.h>

static void negate(const ergi_history *h, void *row)
{
    if (h->type == ERGI_F64)
        for (int k = 0; k < h->width; k++) ((double *)row)[k] = -((double *)row)[k];
    else
        for (int k = 0; k < h->width; k++) ((float *)row)[k] = -((float *)row)[k];
}

static void swap_halves(const ergi_history *h, void *row)
{
    size_t half = ergi_type_bytes(h->type) * (size_t)(h->width / 2);
    for (size_t k = 0; k < half; k++) {
        char kept = ((char *)row)[k];
        ((char *)row)[k] = ((char *)row)[half + k];
        ((char *)row)[half + k] = kept;
    }
}

void ergi_history_swap(const ergi_history *history, void *row)
{
    switch (history->rule) {
    case ERGI_ON_SWAP_NEGATE: negate(history, row); break;
    case ERGI_ON_SWAP_EXCHANGE: swap_halves(history, row); break;
    case ERGI_ON_SWAP_KEEP: break;
    }
}
