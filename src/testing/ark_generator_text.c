// The text of random ARK models (ark_generator.h). In: the operators of a rank. Out: a model as
// JSON, in the dialect D3, or D4 with external buffers.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/span.h"
#include "testing/ark_generator_state.h"

typedef struct writer {
    const gen *g;
    const gen_rank *r;
    hoist_buffer out;
} writer;

static void write_dims(writer *w, const char *key, const int64_t *dims, size_t count)
{
    hoist_buffer_format(&w->out, "\"%s\":[", key);
    for (size_t k = 0; k < count; k++) {
        hoist_buffer_format(&w->out, "%s%" PRId64, k ? "," : "", dims[k]);
    }
    hoist_buffer_c(&w->out, "],");
}

static void write_tags(writer *w, const char *key, const gen_tags *tags)
{
    hoist_buffer_format(&w->out, ",\"%s\":[", key);
    for (size_t i = 0; i < tags->count; i++) {
        hoist_buffer_format(&w->out, "%s[%" PRId64 ",%" PRId64 "]", i ? "," : "", tags->pairs[i][0],
                            tags->pairs[i][1]);
    }
    hoist_buffer_c(&w->out, "]");
}

static void write_tensor(writer *w, const gen_tensor *t)
{
    const gen_buffer *const b = t->buffer;
    hoist_buffer_format(&w->out, "{\"Id\":%" PRId64 ",\"DataType\":\"%s\",", t->id,
                        hoist_rec_word_name(&ark_dtypes, (int)t->dtype));
    write_dims(w, "Shape", t->shape, t->rank);
    write_dims(w, "Strides", t->dims, t->rank);
    write_dims(w, "Offsets", t->offsets, t->rank);
    write_dims(w, "PaddedShape", t->padded, t->rank);
    hoist_buffer_format(&w->out, "\"Buffer\":{\"Id\":%" PRId64 ",\"Rank\":%" PRId64, b->memory.id,
                        b->rank);
    if (w->g->is_d4) {
        hoist_buffer_format(&w->out, ",\"IsExternal\":%s", b->is_external ? "true" : "false");
    }
    write_tags(w, "SendTags", &b->sends);
    write_tags(w, "RecvTags", &b->receives);
    hoist_buffer_c(&w->out, "}}");
}

static void write_tensors(writer *w, const char *key, const gen_tensor *const *list, size_t count)
{
    hoist_buffer_format(&w->out, ",\"%s\":[", key);
    for (size_t i = 0; i < count; i++) {
        hoist_buffer_c(&w->out, i ? "," : "");
        write_tensor(w, list[i]);
    }
    hoist_buffer_c(&w->out, "]");
}

// The operators before `index` that it names, or those after it that name it.
static void write_edges(writer *w, const char *key, size_t index, bool is_before)
{
    const size_t first = is_before ? 0 : index + 1;
    const size_t end = is_before ? index : w->r->op_count;
    const char *comma = "";
    hoist_buffer_format(&w->out, ",\"%s\":[", key);
    for (size_t i = first; i < end; i++) {
        if (w->r->ops[is_before ? index : i].before[is_before ? i : index]) {
            hoist_buffer_format(&w->out, "%s%zu", comma, i);
            comma = ",";
        }
    }
    hoist_buffer_c(&w->out, "]");
}

static void write_node(writer *w, size_t index)
{
    const gen_op *const op = &w->r->ops[index];
    const char *const type = hoist_rec_word_name(&ark_op_types, (int)op->type);
    hoist_buffer_format(&w->out, "%s\n{\"Id\":%zu", index ? "," : "", index);
    write_edges(w, "ProducerNodeIds", index, true);
    write_edges(w, "ConsumerNodeIds", index, false);
    hoist_buffer_format(&w->out, ",\"Op\":{\"Type\":\"%s\",\"Name\":\"%s_%zu\",\"IsVirtual\":%s",
                        type, type, index, op->is_virtual ? "true" : "false");
    write_tensors(w, "ReadTensors", op->reads, op->read_count);
    write_tensors(w, "WriteTensors", op->writes, op->write_count);
    write_tensors(w, "ResultTensors", &op->result, op->result ? 1 : 0);
    hoist_buffer_format(&w->out, ",\"Args\":{%.*s}}}", HOIST_STR_ARGS(op->args));
}

hoist_str gen_text(gen *g, const gen_rank *r)
{
    writer w = {.g = g, .r = r};
    hoist_buffer_init(&w.out, hoist_allocator_system());
    hoist_buffer_format(&w.out, "{\"Rank\":%zu,\"WorldSize\":%zu,\"Nodes\":[", r->number,
                        g->rank_count);
    for (size_t i = 0; i < r->op_count; i++) {
        write_node(&w, i);
    }
    hoist_buffer_c(&w.out, "\n]}\n");
    const hoist_str text = hoist_arena_str(g->arena, hoist_buffer_text(&w.out));
    if (w.out.failed || !text.data) {
        abort();
    }
    hoist_buffer_deinit(&w.out);
    return text;
}
