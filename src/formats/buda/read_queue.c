// The sections devices and queues: buda-netlist reference sections 1.3 and 1.4. Queues are read by
// their rows (fields.c); here are the hooks of these rows, and the list of architectures.
#include "base/span.h"
#include "formats/buda/read.h"

// A word that is no architecture: an alias with its own finding, or unknown, with the words that
// are known.
static int read_alias(buda_reader *r, const hoist_yaml_node *node)
{
    const buda_arch_alias *const alias = buda_arch_alias_find(node->text);
    if (!alias) {
        char shown[BUDA_SHOWN_SIZE];
        // Built for the finding; its failure to allocate must not hide, hence the status.
        hoist_buffer list;
        hoist_buffer_init(&list, r->arena->alloc);
        hoist_rec_word_list(&buda_arch_words, &list);
        buda_report(r->diag, BUDA_003a, node->pos, "arch is %s, expected %.*s",
                    buda_shown(node, shown), HOIST_STR_ARGS(hoist_buffer_text(&list)));
        r->status = list.failed ? HOIST_NO_MEMORY : r->status;
        hoist_buffer_deinit(&list);
        return BUDA_ARCH_NONE;
    }
    buda_report(r->diag, alias->rule, node->pos, "architecture '%.*s' %s",
                HOIST_STR_ARGS(node->text), alias->why);
    return alias->arch;
}

// -1 with a finding for whatever is unknown; the text as written stays for writing.
static void read_arch(buda_reader *r, const hoist_yaml_node *node, buda_word *arch)
{
    *arch = (buda_word){BUDA_ARCH_NONE, {"", 0}, node->pos};
    if (node->kind != HOIST_YAML_SCALAR) {
        char shown[BUDA_SHOWN_SIZE];
        buda_report(r->diag, BUDA_003a, node->pos, "arch holds %s, expected a name",
                    buda_shown(node, shown));
        return;
    }
    arch->text = node->text;
    arch->value = hoist_rec_word_find(&buda_arch_words, node->text);
    if (arch->value < 0) {
        arch->value = read_alias(r, node);
    }
}

// A name or a list of names. A later duplicate of the key overwrites. `arch: grayskull` or `arch:
// [grayskull, wormhole_b0]`.
static void read_archs(buda_reader *r, const hoist_yaml_node *entry)
{
    buda_words *const words = &buda_reader_module(r)->arch;
    const bool list = entry->kind == HOIST_YAML_LIST;
    const size_t count = list ? entry->count : 1;
    buda_word *const items = hoist_rec_array(r, count, sizeof(*items));
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

// The only section whose later duplicate counts: each `arch` replaces the list before.
void buda_read_devices(buda_reader *r, const hoist_yaml_node *entry)
{
    buda_reader_module(r)->devices_pos = buda_key_pos(entry);
    if (entry->kind != HOIST_YAML_MAP) {
        buda_report_kind(r, BUDA_003a, "devices", entry, "a map with arch");
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
    if (!buda_has(buda_reader_module(r)->arch.pos)) {
        buda_report(r->diag, BUDA_003a, buda_key_pos(entry), "devices has no arch");
    }
}

// `dram` and `host` are each needed for one value of loc, and neither when loc is unknown.
static bool queue_needs(const void *object, const hoist_rec_field *field)
{
    const buda_queue *const queue = object;
    return queue->loc.value == (field->need == BUDA_WITH_DRAM ? BUDA_LOC_DRAM : BUDA_LOC_HOST);
}

// The list of the other location: the vendor's parser skips it, so a mistake in it stays unseen.
static void check_idle_places(buda_reader *r, const hoist_rec_node *node, void *object)
{
    (void)node;
    const buda_queue *const queue = object;
    const bool dram = queue->loc.value == BUDA_LOC_DRAM;
    const buda_places *const idle = dram ? &queue->host : &queue->dram;
    if (queue->loc.value >= 0 && buda_has(idle->pos)) {
        buda_report(r->diag, BUDA_904, idle->pos, "%s is not read, loc is %s",
                    dram ? "host" : "dram", dram ? "dram" : "host");
    }
}

const hoist_rec_hooks buda_queue_hooks = {.needed = queue_needs, .end = check_idle_places};

// Equal section keys add up; equal names of queues are both kept (rule 4a reports them).
void buda_read_queues(buda_reader *r, const hoist_yaml_node *entry)
{
    hoist_buda_module *const m = buda_reader_module(r);
    const hoist_rec_node node = hoist_rec_yaml(entry);
    const hoist_rec_list list = hoist_rec_read_records(r, &buda_queue_table, &node, true, "queues");
    m->queues_pos = buda_key_pos(entry);
    m->queues = list.items;
    m->queue_count = list.count;
}
