// Semaphores: who raises each, who waits for it.
//
//   semaphores
//      10  q_gradient_in            -> pe
//      11  sg01/q0                  -> sp        of the other core (remote_semaphores)
#include "base/span.h"
#include "formats/neff/draw.h"

enum { MOST_NAMES = 3 };

static void write_engines(hoist_buffer *out, uint8_t engines, const char *before)
{
    for (int e = 0; e < NEFF_ENGINE_COUNT; e++) {
        if (engines >> e & 1) {
            hoist_buffer_format(out, "%s%s", before, neff_engines[e].key);
            before = ", ";
        }
    }
}

// Queue sets of `s` that raise a semaphore; of the other core by its name.
static void write_queues(const neff_subgraph *s, const neff_semaphore_set *sets, int semaphore,
                         bool is_remote, hoist_buffer *out)
{
    uint32_t shown = 0;
    for (uint32_t i = 0; s && i < s->queue_count; i++) {
        if (!neff_semaphore_in(&sets[i], semaphore)) {
            continue;
        }
        if (shown++ == MOST_NAMES) {
            hoist_buffer_c(out, " and more");
            return;
        }
        hoist_buffer_c(out, out->size ? ", " : "");
        if (is_remote) {
            hoist_buffer_str(out, s->name);
            hoist_buffer_char(out, '/');
        }
        hoist_buffer_str(out, s->queues[i].name);
    }
}

// "q0, q1, sg01/q0, pe"
static void write_raisers(const neff_drawing *d, const neff_semaphores *all, int semaphore,
                          hoist_buffer *out)
{
    write_queues(d->subgraph, all->queues, semaphore, false, out);
    write_queues(d->peer, all->remote, semaphore, true, out);
    write_engines(out, all->raised[semaphore], out->size ? ", " : "");
}

static void draw_use(const neff_drawing *d, const neff_semaphores *all, int semaphore,
                     hoist_buffer *words)
{
    enum { INDENT = 4, NUMBER_WIDTH = 3, WAITER_WIDTH = 12 };
    static const char arrow[] = " -> ";
    const size_t raisers =
        d->width - INDENT - NUMBER_WIDTH - 2 - (sizeof(arrow) - 1) - WAITER_WIDTH;
    words->size = 0;
    write_raisers(d, all, semaphore, words);
    hoist_buffer_format(d->out, "%*s%*d  ", INDENT, "", NUMBER_WIDTH, semaphore);
    hoist_draw_padded(d->out, words->size ? hoist_buffer_text(words) : HOIST_STR("nobody"), raisers,
                      false);
    hoist_buffer_c(d->out, arrow);
    words->size = 0;
    write_engines(words, all->awaited[semaphore], "");
    (void)hoist_draw_name(d->out, words->size ? hoist_buffer_text(words) : HOIST_STR("nobody"),
                          WAITER_WIDTH);
    hoist_draw_end_line(d->out);
}

hoist_status neff_draw_semaphores(const neff_drawing *d)
{
    neff_semaphores all;
    bool any = false;
    hoist_buffer words;
    HOIST_TRY(neff_semaphores_read(d, &all));
    hoist_buffer_init(&words, d->module->base.alloc);
    for (int i = 0; i < NEFF_SEMAPHORES; i++) {
        if (neff_semaphore_in(&all.used, i)) {
            hoist_buffer_c(d->out, any ? "" : "\n  semaphores: who raises, who waits\n");
            draw_use(d, &all, i, &words);
            any = true;
        }
    }
    d->out->failed = d->out->failed || words.failed;
    hoist_buffer_deinit(&words);
    return HOIST_OK;
}
