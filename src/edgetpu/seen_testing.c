#include "edgetpu/seen_testing.h"

#include "base/alloc.h"
#include "base/span.h"

void load_seen_init(load_seen *seen)
{
    *seen = (load_seen){.layers = 0};
    hoist_buffer_init(&seen->paths, hoist_allocator_system());
    hoist_buffer_init(&seen->fates, hoist_allocator_system());
}

void load_seen_deinit(load_seen *seen)
{
    hoist_buffer_deinit(&seen->paths);
    hoist_buffer_deinit(&seen->fates);
}

static void add(hoist_buffer *list, hoist_str text)
{
    hoist_buffer_str(list, text);
    hoist_buffer_char(list, ';');
}

static hoist_status see(void *self, const hoist_tree_event *event)
{
    load_seen *const s = self;
    if (hoist_str_equal_c(event->key, "path")) {
        add(&s->paths, event->str);
    } else if (hoist_str_equal_c(event->key, "fate")) {
        add(&s->fates, event->str);
    } else if (hoist_str_equal_c(event->key, "compared_layers")) {
        s->layers = event->uinteger;
    } else if (hoist_str_equal_c(event->key, "compared_values")) {
        s->values = event->uinteger;
    } else if (hoist_str_equal_c(event->key, "other_addresses")) {
        s->addresses = event->uinteger;
    } else if (hoist_str_equal_c(event->key, "largest") && event->number > s->largest) {
        s->largest = event->number;
    }
    return HOIST_OK;
}

hoist_tree_sink load_seen_sink(load_seen *seen)
{
    return (hoist_tree_sink){.self = seen, .event = see};
}

load_seen load_seen_source(hoist_edgetpu_source_pair *pair, hoist_status *out_status)
{
    load_seen seen;
    load_seen_init(&seen);
    hoist_tree_sink sink = load_seen_sink(&seen);
    hoist_edgetpu_difference_sender sender = {.sink = &sink, .arena = pair->arena};
    *out_status = hoist_edgetpu_source_send(pair, &sender);
    return seen;
}
