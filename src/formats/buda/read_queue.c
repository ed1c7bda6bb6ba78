// The sections devices and queues: buda-netlist reference sections 1.3 and 1.4.
#include "base/span.h"
#include "formats/buda/read.h"

static int read_alias(buda_reader *r, const hoist_yaml_node *node)
{
    const buda_arch_alias *const alias = buda_arch_alias_find(node->text);
    if (!alias) {
        char shown[BUDA_SHOWN_SIZE];
        hoist_buffer list;
        hoist_buffer_init(&list, r->arena->alloc);
        buda_word_list(&buda_arch_words, &list);
        buda_report(r->diag, BUDA_003a, node->pos, "arch is %s, wanted %.*s",
                    buda_shown(node, shown), HOIST_STR_ARGS(hoist_buffer_text(&list)));
        r->status = list.failed ? HOIST_NO_MEMORY : r->status;
        hoist_buffer_deinit(&list);
        return BUDA_ARCH_NONE;
    }
    buda_report(r->diag, alias->rule, node->pos, "architecture '%.*s' %s",
                HOIST_STR_ARGS(node->text), alias->why);
    return alias->arch;
}

static void read_arch(buda_reader *r, const hoist_yaml_node *node, buda_word *arch)
{
    *arch = (buda_word){BUDA_ARCH_NONE, {"", 0}, node->pos};
    if (node->kind != HOIST_YAML_SCALAR) {
        char shown[BUDA_SHOWN_SIZE];
        buda_report(r->diag, BUDA_003a, node->pos, "arch holds %s, wanted a name",
                    buda_shown(node, shown));
        return;
    }
    arch->text = node->text;
    arch->value = buda_word_find(&buda_arch_words, node->text);
    if (arch->value < 0) {
        arch->value = read_alias(r, node);
    }
}

// A name or a list of names. A later duplicate of the key overwrites.
static void read_archs(buda_reader *r, const hoist_yaml_node *entry)
{
    buda_words *const words = &r->module->arch;
    const bool list = entry->kind == HOIST_YAML_LIST;
    const size_t count = list ? entry->count : 1;
    buda_word *const items = buda_reader_array(r, count, sizeof(*items));
    if (!items) {
        return;
    }
    *words = (buda_words){items, count, entry->pos, !list};
    if (count == 0) {
        buda_report(r->diag, BUDA_003a, entry->pos, "arch is an empty list");
    }
    const hoist_yaml_node *node = list ? entry->first : entry;
    for (size_t i = 0; i < count; i++, node = node->next) {
        read_arch(r, node, &items[i]);
    }
}

void buda_read_devices(buda_reader *r, const hoist_yaml_node *entry)
{
    r->module->devices_pos = buda_key_pos(entry);
    char shown[BUDA_SHOWN_SIZE];
    if (entry->kind != HOIST_YAML_MAP) {
        buda_report(r->diag, BUDA_003a, entry->pos, "devices is %s, wanted a map with arch",
                    buda_shown(entry, shown));
        return;
    }
    for (const hoist_yaml_node *e = entry->first; e; e = e->next) {
        buda_check_duplicate(r, e);
        if (hoist_str_equal_c(buda_key(e), "arch")) {
            read_archs(r, e);
        } else {
            buda_report(r->diag, BUDA_003a, buda_key_pos(e), "devices has no key '%.*s'",
                        HOIST_STR_ARGS(buda_key(e)));
        }
    }
    if (!buda_has(r->module->arch.pos)) {
        buda_report(r->diag, BUDA_003a, buda_key_pos(entry), "devices has no arch");
    }
}

static bool queue_needs(const void *object, buda_need need)
{
    const buda_queue *const queue = object;
    return queue->loc.value == (need == BUDA_WITH_DRAM ? BUDA_LOC_DRAM : BUDA_LOC_HOST);
}

// The list of the other location: the reference skips it.
static void check_idle_places(buda_reader *r, const buda_queue *queue)
{
    const bool dram = queue->loc.value == BUDA_LOC_DRAM;
    const buda_places *const idle = dram ? &queue->host : &queue->dram;
    if (queue->loc.value >= 0 && buda_has(idle->pos)) {
        buda_report(r->diag, BUDA_904, idle->pos, "%s is not read, loc is %s",
                    dram ? "host" : "dram", dram ? "dram" : "host");
    }
}

static void read_queue(buda_reader *r, const hoist_yaml_node *entry, buda_queue *queue)
{
    hoist_frame frame;
    queue->name = buda_key_name(entry);
    hoist_diag_push(r->diag, &frame, NULL, (hoist_str){"", 0}, queue->name.text);
    buda_read_object(r, &buda_queue_table, entry, queue, &queue->extra);
    if (entry->kind == HOIST_YAML_MAP) {
        buda_report_missing(r, &buda_queue_table, queue, queue->name.pos, queue_needs);
        check_idle_places(r, queue);
    }
    hoist_diag_pop(r->diag, &frame);
}

void buda_read_queues(buda_reader *r, const hoist_yaml_node *entry)
{
    hoist_buda_module *const m = r->module;
    m->queues_pos = buda_key_pos(entry);
    const size_t count = buda_items_count(entry, HOIST_YAML_MAP);
    m->queues = buda_reader_array(r, count, sizeof(m->queues[0]));
    hoist_frame frame;
    hoist_diag_push(r->diag, &frame, NULL, (hoist_str){"", 0}, HOIST_STR("queues"));
    buda_items it = buda_items_begin(entry, HOIST_YAML_MAP);
    while (m->queues && m->queue_count < count && r->status == HOIST_OK) {
        read_queue(r, it.item, &m->queues[m->queue_count++]);
        buda_items_next(&it);
    }
    hoist_diag_pop(r->diag, &frame);
}
