// Models from short lines (formats/ark/sketch_testing.h): tensors are collected by id, edges follow
// from results, and both are written as ARK writes them.
#include "formats/ark/sketch_testing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"

enum { MOST_TENSORS = 512, MOST_NODES = 256 };

typedef struct sketch {
    hoist_test *t;
    hoist_str tensors[MOST_TENSORS]; // by id: JSON
    long producer[MOST_TENSORS];     // by id: node + 1
    bool edges[MOST_NODES][MOST_NODES];
    hoist_str ops[MOST_NODES];
    size_t node_count;
} sketch;

// The next word of a line, which ends at a blank or the line's end.
static hoist_str next_word(const char **at)
{
    while (**at == ' ') {
        ++*at;
    }
    const char *const begin = *at;
    while (**at && !strchr(" \n", **at)) {
        ++*at;
    }
    return (hoist_str){begin, (size_t)(*at - begin)};
}

// "4x6" as "4,6"; a list of offsets as it is.
static void add_dims(hoist_buffer *out, const char *key, const char **at)
{
    hoist_buffer_format(out, "\"%s\":[", key);
    for (; **at && strchr("0123456789x,", **at); ++*at) {
        hoist_buffer_char(out, (char)(**at == 'x' ? ',' : **at));
    }
    hoist_buffer_c(out, "],");
}

static void add_zeros(hoist_buffer *out, const char *shape)
{
    hoist_buffer_c(out, "\"Offsets\":[0");
    for (; *shape && strchr("0123456789x", *shape); shape++) {
        hoist_buffer_c(out, *shape == 'x' ? ",0" : "");
    }
    hoist_buffer_c(out, "],");
}

// "0@1!r1,5" as the members of a buffer.
static void add_buffer(hoist_buffer *out, const char **at)
{
    char *end = NULL;
    long rank = -1;
    const long id = strtol(*at, &end, 10);
    if (*end == '@') {
        rank = strtol(end + 1, &end, 10);
    }
    hoist_buffer_format(out, "\"Buffer\":{\"Id\":%ld,\"Rank\":%ld", id, rank);
    if (*end == '!') {
        hoist_buffer_c(out, ",\"IsExternal\":true");
        end++;
    }
    const char *const keys[] = {"SendTags", "RecvTags"};
    for (size_t i = 0; i < 2; i++) {
        hoist_buffer_format(out, ",\"%s\":[", keys[i]);
        if (*end == "sr"[i]) {
            const long peer = strtol(end + 1, &end, 10);
            const long tag = *end == ',' ? strtol(end + 1, &end, 10) : 0;
            hoist_buffer_format(out, "[%ld,%ld]", peer, tag);
        }
        hoist_buffer_c(out, "]");
    }
    hoist_buffer_c(out, "}");
    *at = end;
}

static void define(sketch *s, long id, const char *at)
{
    static const char letters[] = "hbui";
    static const char *const dtypes[] = {"FP16", "BYTE", "UINT8", "INT32"};
    hoist_buffer out, buffer;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_buffer_init(&buffer, hoist_allocator_system());
    add_buffer(&buffer, &at);
    at += *at == ':';
    const char *const letter = *at ? strchr(letters, *at) : NULL;
    hoist_buffer_format(&out, "{\"Id\":%ld,\"DataType\":\"%s\",", id,
                        letter ? dtypes[letter - letters] : "FP32");
    const char *shape = at + (letter != NULL);
    at = shape;
    add_dims(&out, "Shape", &at);
    const char *strides = *at == '/' ? at + 1 : shape;
    add_dims(&out, "Strides", &strides);
    at = *at == '/' ? strides : at;
    if (*at == '+') {
        at++;
        add_dims(&out, "Offsets", &at);
    } else {
        add_zeros(&out, shape);
    }
    at = shape;
    add_dims(&out, "PaddedShape", &at);
    hoist_buffer_str(&out, hoist_buffer_text(&buffer));
    hoist_buffer_c(&out, "}");
    s->tensors[id] = hoist_arena_str(&s->t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&buffer);
    hoist_buffer_deinit(&out);
}

// One of the three lists, up to the '>' after it.
static void add_list(sketch *s, hoist_buffer *out, const char *key, const char **at, bool results)
{
    bool is_first = true;
    hoist_buffer_format(out, "\"%s\":[", key);
    for (;;) {
        const char *const before = *at;
        const hoist_str word = next_word(at);
        if (word.size == 0 || strchr(">{@", word.data[0])) {
            *at = word.size && word.data[0] == '>' ? *at : before;
            break;
        }
        char *end = NULL;
        const long id = strtol(word.data, &end, 10);
        if (word.data[0] == '-') {
            continue;
        }
        HOIST_EXPECT(s->t, id >= 0 && id < MOST_TENSORS);
        if (*end == '=') {
            define(s, id, end + 1);
        }
        HOIST_EXPECT(s->t, s->tensors[id].size > 0);
        hoist_buffer_c(out, is_first ? "" : ",");
        hoist_buffer_str(out, s->tensors[id]);
        is_first = false;
        if (results) {
            s->producer[id] = s->producer[id] ? s->producer[id] : (long)s->node_count + 1;
        } else if (s->producer[id]) {
            s->edges[s->producer[id] - 1][s->node_count] = true;
        }
    }
    hoist_buffer_c(out, "],");
}

static void add_node(sketch *s, const char **at)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    const hoist_str type = next_word(at);
    hoist_buffer_format(&out, "{\"Type\":\"%.*s\",\"Name\":\"n%zu\",\"IsVirtual\":%s,",
                        HOIST_STR_ARGS(type), s->node_count,
                        hoist_str_equal_c(type, "Tensor") ? "true" : "false");
    add_list(s, &out, "ReadTensors", at, false);
    add_list(s, &out, "WriteTensors", at, false);
    add_list(s, &out, "ResultTensors", at, true);
    hoist_str word = next_word(at);
    const bool has_args = word.size && word.data[0] == '{';
    hoist_buffer_format(&out, "\"Args\":%.*s}", has_args ? (int)word.size : 2,
                        has_args ? word.data : "{}");
    word = has_args ? next_word(at) : word;
    while (word.size) {
        if (word.data[0] != '@') {
            const long from = strtol(word.data, NULL, 10);
            HOIST_EXPECT(s->t, from >= 0 && from < MOST_NODES);
            s->edges[from][s->node_count] = true;
        }
        word = next_word(at);
    }
    s->ops[s->node_count++] = hoist_arena_str(&s->t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
}

static void add_edges(const sketch *s, hoist_buffer *out, size_t node, bool producers)
{
    bool is_first = true;
    for (size_t i = 0; i < s->node_count; i++) {
        if (producers ? s->edges[i][node] : s->edges[node][i]) {
            hoist_buffer_format(out, "%s%zu", is_first ? "" : ",", i);
            is_first = false;
        }
    }
}

const char *ark_sketch(hoist_test *t, const char *text)
{
    sketch *const s = hoist_arena_alloc(&t->arena, sizeof(*s));
    char *end = NULL;
    long rank = 0;
    long world = 1;
    s->t = t;
    if (strncmp(text, "rank ", 5) == 0) {
        rank = strtol(text + 5, &end, 10);
        world = strtol(end + 4, &end, 10);
        text = end;
    }
    while (*text) {
        text += *text == '\n';
        if (*text && s->node_count < MOST_NODES) {
            add_node(s, &text);
        }
        HOIST_EXPECT(t, *text == '\n' || *text == 0);
    }
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_buffer_format(&out, "{\"Rank\":%ld,\"WorldSize\":%ld,\"Nodes\":[\n", rank, world);
    for (size_t i = 0; i < s->node_count; i++) {
        hoist_buffer_format(&out, "%s{\"Id\":%zu,\"ProducerNodeIds\":[", i ? ",\n" : "", i);
        add_edges(s, &out, i, true);
        hoist_buffer_c(&out, "],\"ConsumerNodeIds\":[");
        add_edges(s, &out, i, false);
        hoist_buffer_format(&out, "],\"Op\":%.*s}", (int)s->ops[i].size, s->ops[i].data);
    }
    hoist_buffer_c(&out, "\n]}");
    const hoist_str all = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    return all.data;
}
