// Applies a mutation to the file that is being made, and the mutations that need more than a row:
// those of the archive.
#include "testing/neff_mutate.h"

#include <stdlib.h>
#include <string.h>

#include "base/span.h"
#include "codec/tar.h"
#include "testing/neff_gen.h"

enum { HEADER = 1024, BLOCK = 512, RECORD = 64 };

const char *neff_mutation_clause(const neff_mutation *mutation)
{
    return mutation->clause;
}

const char *neff_mutation_name(const neff_mutation *mutation)
{
    return mutation->name;
}

// Before and within ------------------------------------------------------------------------------

static int generation_of(const char *target)
{
    static const char *const letters[] = {"*", "t", "s", "c", "m"};
    for (int i = 0; i < (int)HOIST_COUNT_OF(letters); i++) {
        if (target[0] == letters[i][0]) {
            return i;
        }
    }
    return 0;
}

void gen_mutate_options(neff_gen *g)
{
    const neff_mutation *const m = g->mutation;
    if (!m) {
        return;
    }
    if (m->target || g->generation == 1) {
        g->options.target = m->target ? m->target : "*";
        g->generation = generation_of(g->options.target);
    }
    g->file->arch = m->arch;
    g->file->max_expanded = m->max_expanded;
    g->subgraphs = m->subgraphs ? m->subgraphs : g->subgraphs;
    if (g->subgraphs == 2) {
        g->options.lnc_size = 2;
    }
    if (m->pkg_version) {
        g->options.pkg_version = m->pkg_version;
    }
    g->options.has_level = g->options.pkg_version == 2;
    if (m->version_major) {
        g->options.version_major = m->version_major;
    }
    g->options.feature_bits = m->feature_bits;
    // For the texts that members are changed by.
    g->options.compact = true;
    g->options.order = HOIST_NEFF_ORDER_OWN;
    if (m->cell) {
        gen_mark(g, (neff_cell)(m->cell - 1));
    }
}

static void add_anchors(neff_gen *g)
{
    enum { SIZE = 64, SEMAPHORE = 31 };
    gen_variable(g, (hoist_neff_variable){.name = "mut_a", .type = "tmp-buf", .size = SIZE});
    gen_variable(g, (hoist_neff_variable){.name = "mut_b", .type = "tmp-buf", .size = SIZE});
    gen_variable(g, (hoist_neff_variable){.name = "mut_p", .type = "pointer", .size = 8});
    const hoist_neff_queue_set queue = {.struct_size = sizeof(queue),
                                        .name = "mut_q",
                                        .type = "data",
                                        .owner = "sp",
                                        .has_semaphore = true,
                                        .semaphore = SEMAPHORE};
    gen_do(hoist_neff_add_queue_set(g->neff, 0, &queue));
}

static void add_queues(neff_gen *g, const neff_mutation *m)
{
    hoist_neff_queue_set queue = m->queue;
    queue.struct_size = sizeof(queue);
    gen_do(hoist_neff_add_queue_set(g->neff, 0, &queue));
    for (size_t i = 1; i < m->queue_count; i++) {
        queue.name = gen_text(g, "%s%zu", m->queue.name, i);
        gen_do(hoist_neff_add_queue_set(g->neff, 0, &queue));
    }
}

static void add_blocks(neff_gen *g, const neff_mutation *m, hoist_neff_engine engine)
{
    enum { FIRST_ID = 900 };
    for (size_t i = 0; i < HOIST_COUNT_OF(m->desc) && (i == 0 || m->desc[i].to.sizes.count); i++) {
        hoist_neff_desc desc = m->desc[i];
        hoist_neff_block block = m->block;
        desc.struct_size = sizeof(desc);
        block.struct_size = sizeof(block);
        block.id = block.id ? block.id : FIRST_ID + (int64_t)i;
        if (m->desc_queue[i]) {
            block.queue = m->desc_queue[i];
        } else if (!block.queue && !block.instance_name) {
            block.queue = "mut_q";
        }
        block.desc = &desc;
        block.desc_count = 1;
        gen_do(hoist_neff_add_block(g->neff, 0, engine, &block));
    }
}

void gen_mutate_content(neff_gen *g)
{
    const neff_mutation *const m = g->mutation;
    if (!m) {
        return;
    }
    const hoist_neff_engine engine = m->has_engine ? m->engine : HOIST_NEFF_SP;
    add_anchors(g);
    if (m->var.name) {
        gen_variable(g, m->var);
    }
    if (m->queue.name) {
        add_queues(g, m);
    }
    if (m->desc[0].to.sizes.count) {
        add_blocks(g, m, engine);
    }
    if (m->code) {
        hoist_buffer_c(&g->code[engine], m->code);
    }
    if (m->record_size) {
        uint8_t record[RECORD] = {0};
        memcpy(record, m->record, m->record_size);
        gen_do(hoist_neff_add_record(g->neff, 0, engine, (hoist_bytes){record, RECORD}));
    }
}

// Members ----------------------------------------------------------------------------------------

static hoist_str replaced(neff_gen *g, hoist_str text, const char *find, const char *put)
{
    hoist_buffer out;
    const size_t size = strlen(find);
    hoist_buffer_init(&out, hoist_allocator_system());
    for (size_t i = 0; i < text.size;) {
        if (text.size - i >= size && memcmp(text.data + i, find, size) == 0) {
            hoist_buffer_c(&out, put);
            i += size;
        } else {
            hoist_buffer_char(&out, text.data[i++]);
        }
    }
    const hoist_str result = hoist_arena_str(&g->arena, hoist_buffer_text(&out));
    gen_do(result.data && !out.failed ? HOIST_OK : HOIST_NO_MEMORY);
    hoist_buffer_deinit(&out);
    return result;
}

void gen_mutate_members(neff_gen *g)
{
    const neff_mutation *const m = g->mutation;
    hoist_bytes bytes;
    if (!m || !m->member) {
        return;
    }
    if (m->key.key) {
        gen_do(hoist_neff_add_keys(g->neff, m->member, (hoist_neff_keys){&m->key, 1}));
    } else if (!m->put) {
        gen_do(hoist_neff_drop_member(g->neff, m->member));
    } else if (!m->find) {
        gen_do(hoist_neff_set_member(g->neff, m->member,
                                     (hoist_bytes){(const uint8_t *)m->put, strlen(m->put)}));
    } else {
        gen_do(hoist_neff_member(g->neff, m->member, &bytes));
        const hoist_str text = {(const char *)bytes.data, bytes.size};
        const hoist_str fresh = replaced(g, text, m->find, m->put);
        gen_do(hoist_neff_set_member(g->neff, m->member,
                                     (hoist_bytes){(const uint8_t *)fresh.data, fresh.size}));
    }
}

// Bytes ------------------------------------------------------------------------------------------

void gen_mutate_bytes(neff_gen *g)
{
    const neff_mutation *const m = g->mutation;
    if (!m) {
        return;
    }
    for (size_t i = 0; i < m->poke_size; i++) {
        g->file->bytes.data[m->poke_at + i] = (uint8_t)(m->poke >> (8 * i));
    }
    if (m->bytes) {
        m->bytes(g);
    }
}

void gen_cut_to_header(neff_gen *g)
{
    g->file->bytes.size = HEADER;
}

void gen_append(neff_gen *g)
{
    hoist_buffer_c(&g->file->bytes, "more");
}

void gen_append_to_payload(neff_gen *g)
{
    hoist_buffer_c(&g->file->bytes, "more");
    gen_seal(g);
}

void gen_change_trailer(neff_gen *g)
{
    enum { TRAILER = 8 };
    g->file->bytes.data[g->file->bytes.size - TRAILER] ^= 1;
    gen_seal(g);
}

void gen_change_tar(neff_gen *g)
{
    enum { AT_MODE = 100 };
    g->file->bytes.data[HEADER + AT_MODE] ^= 1;
    gen_seal(g);
}

// Drops the archive's end blocks and padding.
static void cut_end(neff_gen *g)
{
    hoist_buffer *const file = &g->file->bytes;
    size_t end = file->size;
    while (end > HEADER && file->data[end - 1] == 0) {
        end--;
    }
    file->size = HEADER + (end - HEADER + BLOCK - 1) / BLOCK * BLOCK;
}

void gen_cut_end(neff_gen *g)
{
    cut_end(g);
    gen_seal(g);
}

static void add_tar_member(neff_gen *g, const char *name, char flag)
{
    cut_end(g);
    const hoist_tar_member member = {.name = hoist_str_from(name),
                                     .link = hoist_str_from(flag == '2' ? "neff.json" : ""),
                                     .flag = flag,
                                     .dialect = HOIST_TAR_USTAR,
                                     .mode = 0644};
    gen_do(hoist_tar_write(&member, &g->file->bytes));
    hoist_buffer_fill(&g->file->bytes, '\0', (size_t)2 * BLOCK);
    gen_seal(g);
}

void gen_add_unsafe(neff_gen *g)
{
    add_tar_member(g, "../x", '0');
}

void gen_add_link(neff_gen *g)
{
    add_tar_member(g, "link", '2');
}

void gen_add_again(neff_gen *g)
{
    add_tar_member(g, "neff.json", '0');
}

void gen_add_unreferred(neff_gen *g)
{
    add_tar_member(g, "nobody_knows.xyz", '0');
}
