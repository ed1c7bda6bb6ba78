#include <stdio.h>
#include <stdlib.h>

#include "report/text.h"
#include "testing/test.h"

static void numbers(hoist_tree_sink *s, const char *key, int count, int64_t first)
{
    hoist_tree_list(s, key);
    for (int i = 0; i < count; i++) {
        hoist_tree_int(s, "", first + i);
    }
    hoist_tree_end(s);
}

static void send_queue(hoist_tree_sink *s, const char *name, const char *input, int64_t entries,
                       uint64_t size)
{
    hoist_tree_map(s, "");
    hoist_tree_c(s, "name", name);
    hoist_tree_c(s, "type", "queue");
    hoist_tree_int(s, "entries", entries);
    numbers(s, "grid_size", 2, entries);
    hoist_tree_c(s, "data_format", "Float16_b");
    hoist_tree_uint(s, "buffer_size", size, HOIST_UNIT_BYTES);
    hoist_tree_uint(s, "address", 0x30000000 + size, HOIST_UNIT_ADDRESS);
    hoist_tree_c(s, "input", input);
    hoist_tree_end(s);
}

static void send_op(hoist_tree_sink *s, const char *type, int64_t count, double share)
{
    hoist_tree_map(s, "");
    hoist_tree_c(s, "type", type);
    hoist_tree_int(s, "count", count);
    hoist_tree_float(s, "share", share, HOIST_UNIT_PERCENT);
    hoist_tree_end(s);
}

static void send_netlist(hoist_tree_sink *s)
{
    hoist_tree_map(s, "");
    hoist_tree_c(s, "file", "net.yaml");
    hoist_tree_c(s, "format", "Tenstorrent BUDA netlist");
    numbers(s, "target_devices", 30, 100);
    hoist_tree_list(s, "fused_ops");
    hoist_tree_end(s);
    hoist_tree_list(s, "queues");
    send_queue(s, "q0", "HOST", 4, 17039392);
    send_queue(s, "encoder_0_attention_output_q", "encoder_0_attention_output.0", 128, 512);
    hoist_tree_end(s);
    hoist_tree_map(s, "graphs");
    hoist_tree_int(s, "count", 1);
    hoist_tree_list(s, "ops_by_type");
    send_op(s, "matmul", 12, 62.5);
    send_op(s, "gelu", 3, 37.5);
    hoist_tree_end(s);
    hoist_tree_map(s, "fwd_0");
    hoist_tree_uint(s, "l1_per_core", 1048576, HOIST_UNIT_BYTES);
    hoist_tree_bool(s, "untilized", false);
    hoist_tree_end(s);
    hoist_tree_null(s, "after_section");
    hoist_tree_end(s);
    hoist_tree_end(s);
}

static void send_scalar(hoist_tree_sink *s)
{
    hoist_tree_c(s, "", "just text");
}

static void send_empty(hoist_tree_sink *s)
{
    hoist_tree_map(s, "");
    hoist_tree_end(s);
}

static void send_hostile(hoist_tree_sink *s)
{
    hoist_tree_map(s, "");
    hoist_tree_c(s, "k\x1b[2J", "v\n\xff");
    hoist_tree_c(s, "empty", "");
    hoist_tree_end(s);
}

// Items of different shapes: no table.
static void send_mixed(hoist_tree_sink *s)
{
    hoist_tree_map(s, "");
    hoist_tree_list(s, "programs");
    hoist_tree_map(s, "");
    hoist_tree_c(s, "name", "run_fwd");
    hoist_tree_map(s, "loop");
    hoist_tree_int(s, "count", 2);
    hoist_tree_end(s);
    hoist_tree_end(s);
    hoist_tree_c(s, "", "a scalar among maps");
    hoist_tree_map(s, "");
    numbers(s, "cores", 3, 0);
    hoist_tree_end(s);
    hoist_tree_list(s, "");
    send_op(s, "add", 1, 100);
    hoist_tree_end(s);
    hoist_tree_end(s);
    hoist_tree_end(s);
}

// Members that some rows lack, null among numbers, lists in cells.
static void send_ragged(hoist_tree_sink *s)
{
    hoist_tree_list(s, "");
    hoist_tree_map(s, "");
    hoist_tree_c(s, "name", "a");
    hoist_tree_int(s, "slots", 10);
    hoist_tree_end(s);
    hoist_tree_map(s, "");
    hoist_tree_c(s, "name", "b");
    hoist_tree_null(s, "slots");
    numbers(s, "dram_channels", 3, 1);
    hoist_tree_end(s);
    hoist_tree_end(s);
}

static void send_inline(hoist_tree_sink *s)
{
    hoist_tree_map(s, "");
    hoist_tree_send(s, &(hoist_tree_event){
                           .kind = HOIST_TREE_MAP, .key = HOIST_STR("tile"), .inline_hint = true});
    hoist_tree_int(s, "r", 32);
    hoist_tree_int(s, "c", 16);
    hoist_tree_end(s);
    hoist_tree_list(s, "windows");
    numbers(s, "", 2, 0);
    numbers(s, "", 2, 2);
    hoist_tree_end(s);
    hoist_tree_end(s);
}

// Units that values show themselves.
static void send_units(hoist_tree_sink *s)
{
    hoist_tree_map(s, "");
    hoist_tree_float(s, "wall_seconds", 0.25, HOIST_UNIT_SECONDS);
    hoist_tree_float(s, "rate_bytes_per_second", 2e9, HOIST_UNIT_RATE);
    hoist_tree_uint(s, "in_seconds", 3, HOIST_UNIT_NONE);
    hoist_tree_end(s);
}

// Only numbers and long titles: titles break, cells do not.
static void send_numbers(hoist_tree_sink *s)
{
    hoist_tree_list(s, "");
    hoist_tree_map(s, "");
    hoist_tree_int(s, "cycles_per_input_tensor", 1234567);
    hoist_tree_int(s, "cycles_waiting", 7);
    hoist_tree_end(s);
    hoist_tree_end(s);
}

// Values that are next to their keys where they can.
static void send_header(hoist_tree_sink *s)
{
    hoist_tree_map(s, "");
    hoist_tree_c(s, "kind", "gzip");
    hoist_tree_c(s, "hash", "d485dd12e57f8e8e741a60d7f51fdebe");
    hoist_tree_uint(s, "archive_size_bytes", 2147483648, HOIST_UNIT_BYTES);
    hoist_tree_c(s, "features", "neff_queue_set_instances, vnc");
    hoist_tree_c(s, "note", "words that are broken where it is narrow");
    hoist_tree_c(s, "a_key_wider_than_half_a_line", "x");
    hoist_tree_end(s);
}

typedef void send_fn(hoist_tree_sink *sink);

// clang-format off
#define GRAPHS_SHOWN \
    "graphs\n" \
    "  count: 1\n" \
    "\n" \
    "  ops by type\n" \
    "    type    count   share\n" \
    "    matmul     12  62.5 %\n" \
    "    gelu        3  37.5 %\n" \
    "\n" \
    "  fwd 0\n" \
    "    l1 per core: 1,048,576 (1.0 MiB)\n" \
    "    untilized:   no\n" \
    "\n" \
    "  after section: -\n"
static const struct {
    const char *name;
    send_fn *send;
    size_t width;
    bool color;
    const char *want;
} cases[] = {
    {"netlist at 92", send_netlist, 92, false,
     "file:           net.yaml\n"
     "format:         Tenstorrent BUDA netlist\n"
     "target devices: 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114,\n"
     "                115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129\n"
     "fused ops:      none\n"
     "\n"
     "queues\n"
     "  name              type   entries  grid   data         buffer     address  input\n"
     "                                    size   format         size\n"
     "  q0                queue        4  4, 5   Float16_b  16.3 MiB  0x31040020  HOST\n"
     "  encoder_0_attent  queue      128  128,   Float16_b     512 B  0x30000200  encoder_0_attent\n"
     "  ion_output_q                      129                                     ion_output.0\n"
     "\n"
     GRAPHS_SHOWN},
    {"netlist at 60", send_netlist, 60, false,
     "file:           net.yaml\n"
     "format:         Tenstorrent BUDA netlist\n"
     "target devices: 100, 101, 102, 103, 104, 105, 106, 107, 108,\n"
     "                109, 110, 111, 112, 113, 114, 115, 116, 117,\n"
     "                118, 119, 120, 121, 122, 123, 124, 125, 126,\n"
     "                127, 128, 129\n"
     "fused ops:      none\n"
     "\n"
     "queues\n"
     "  name:        q0\n"
     "  type:        queue\n"
     "  entries:     4\n"
     "  grid size:   4, 5\n"
     "  data format: Float16_b\n"
     "  buffer size: 17,039,392 (16.3 MiB)\n"
     "  address:     0x31040020\n"
     "  input:       HOST\n"
     "\n"
     "  name:        encoder_0_attention_output_q\n"
     "  type:        queue\n"
     "  entries:     128\n"
     "  grid size:   128, 129\n"
     "  data format: Float16_b\n"
     "  buffer size: 512\n"
     "  address:     0x30000200\n"
     "  input:       encoder_0_attention_output.0\n"
     "\n"
     GRAPHS_SHOWN},
    {"header at 80", send_header, 80, false,
     "kind:                         gzip\n"
     "hash:                         d485dd12e57f8e8e741a60d7f51fdebe\n"
     "archive size:                 2,147,483,648 (2.0 GiB)\n"
     "features:                     neff_queue_set_instances, vnc\n"
     "note:                         words that are broken where it is narrow\n"
     "a key wider than half a line: x\n"},
    {"header at 40", send_header, 40, false,
     "kind:         gzip\n"
     "hash: d485dd12e57f8e8e741a60d7f51fdebe\n"
     "archive size: 2,147,483,648 (2.0 GiB)\n"
     "features:     neff_queue_set_instances,\n"
     "              vnc\n"
     "note:         words that are broken\n"
     "              where it is narrow\n"
     "a key wider than half a line: x\n"},
    {"header at 36", send_header, 36, false,
     "kind:         gzip\n"
     "hash:\n"
     "    d485dd12e57f8e8e741a60d7f51fdebe\n"
     "archive size:\n"
     "    2,147,483,648 (2.0 GiB)\n"
     "features:\n"
     "    neff_queue_set_instances, vnc\n"
     "note: words that are broken where it\n"
     "      is narrow\n"
     "a key wider than half a line: x\n"},
    {"no limit", send_numbers, 0, false,
     "cycles per input tensor  cycles waiting\n"
     "                1234567               7\n"},
    {"scalar", send_scalar, 80, false, "just text\n"},
    {"scalar, narrow", send_scalar, 5, false, "just\ntext\n"},
    {"empty", send_empty, 80, false, "none\n"},
    {"hostile names", send_hostile, 80, false, "k\\x1b[2J: v\\x0a\\xff\nempty:\n"},
    {"mixed list", send_mixed, 80, false,
     "programs\n"
     "  run_fwd\n"
     "    loop\n"
     "      count: 2\n"
     "\n"
     "  a scalar among maps\n"
     "\n"
     "  2\n"
     "    cores: 0, 1, 2\n"
     "\n"
     "  3\n"
     "    type  count  share\n"
     "    add       1  100 %\n"},
    {"ragged table", send_ragged, 80, true,
     "\x1b[1mname  slots  dram channels\x1b[0m\n"
     "a        10\n"
     "b         -  1, 2, 3\n"},
    {"inline", send_inline, 80, false,
     "tile:    r: 32, c: 16\n"
     "windows: [0, 1], [2, 3]\n"},
    {"units", send_units, 80, false,
     "wall:       250 ms\n"
     "rate:       2.00 GB/s\n"
     "in seconds: 3\n"},
    {"titles break", send_numbers, 20, false,
     " cycles       cycles\n"
     "    per      waiting\n"
     "  input\n"
     " tensor\n"
     "1234567            7\n"},
};
// clang-format on

HOIST_TEST_TABLE(documents, cases)
{
    hoist_buffer out;
    hoist_text text;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_text_init(&text, &out, row->width, row->color);
    hoist_tree_sink sink = hoist_text_sink(&text);
    row->send(&sink);
    HOIST_EXPECT_EQ(t, sink.status, HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->want);
    hoist_text_deinit(&text);
    hoist_buffer_deinit(&out);
}

static void send_rows(hoist_tree_sink *s, const char *key, int count)
{
    hoist_tree_list(s, key);
    for (int i = 0; i < count; i++) {
        char name[32];
        (void)snprintf(name, sizeof(name), "n%d", i);
        hoist_tree_map(s, "");
        hoist_tree_c(s, "name", name);
        hoist_tree_int(s, "number", 1000000000000000000 + i);
        hoist_tree_int(s, "other", 1000000000000000000 + i);
        hoist_tree_end(s);
    }
    hoist_tree_end(s);
}

static void send_large(hoist_tree_sink *s)
{
    hoist_tree_map(s, "");
    hoist_tree_c(s, "file", "f");
    send_rows(s, "queues", 100);
    send_rows(s, "kinds", 3);
    numbers(s, "chips", 20, 0);
    hoist_tree_end(s);
}

static void send_short(hoist_tree_sink *s)
{
    hoist_tree_map(s, "");
    send_rows(s, "kinds", 3);
    hoist_tree_end(s);
}

// clang-format off
static const struct {
    const char *name;
    send_fn *send;
    size_t width;
    size_t lines;
    const char *expected;
} summaries[] = {
    {"what fits is complete", send_short, 0, 5,
     "kinds\n"
     "  name               number                other\n"
     "  n0    1000000000000000000  1000000000000000000\n"
     "  n1    1000000000000000001  1000000000000000001\n"
     "  n2    1000000000000000002  1000000000000000002\n"},
    {"long lists give way first", send_large, 78, 16,
     "file: f\n"
     "\n"
     "queues\n"
     "  name               number                other\n"
     "  n0    1000000000000000000  1000000000000000000\n"
     "  n1    1000000000000000001  1000000000000000001\n"
     "  n2    1000000000000000002  1000000000000000002\n"
     "  ... 97 more of 100; --all lists them\n"
     "\n"
     "kinds\n"
     "  name               number                other\n"
     "  n0    1000000000000000000  1000000000000000000\n"
     "  n1    1000000000000000001  1000000000000000001\n"
     "  n2    1000000000000000002  1000000000000000002\n"
     "\n"
     "chips: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, ... 8 more\n"},
    {"columns that have no space are named", send_large, 40, 14,
     "file: f\n"
     "\n"
     "queues\n"
     "  100; --all lists them\n"
     "\n"
     "kinds\n"
     "  name               number\n"
     "  n0    1000000000000000000\n"
     "  ... 2 more of 3; --all lists them,\n"
     "  with other\n"
     "\n"
     "chips: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,\n"
     "       11, ... 8 more\n"},
    {"no item has space", send_large, 78, 11,
     "file: f\n"
     "\n"
     "queues\n"
     "  100; --all lists them\n"
     "\n"
     "kinds\n"
     "  name               number                other\n"
     "  n0    1000000000000000000  1000000000000000000\n"
     "  ... 2 more of 3; --all lists them\n"
     "\n"
     "chips: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, ... 8 more\n"},
    {"what cannot be made short enough keeps short lists", send_large, 78, 3,
     "file: f\n"
     "\n"
     "queues\n"
     "  name               number                other\n"
     "  n0    1000000000000000000  1000000000000000000\n"
     "  n1    1000000000000000001  1000000000000000001\n"
     "  n2    1000000000000000002  1000000000000000002\n"
     "  n3    1000000000000000003  1000000000000000003\n"
     "  ... 96 more of 100; --all lists them\n"
     "\n"
     "kinds\n"
     "  name               number                other\n"
     "  n0    1000000000000000000  1000000000000000000\n"
     "  n1    1000000000000000001  1000000000000000001\n"
     "  n2    1000000000000000002  1000000000000000002\n"
     "\n"
     "chips: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, ... 8 more\n"},
};
// clang-format on

HOIST_TEST_TABLE(summaries_cut_lists, summaries)
{
    hoist_buffer out;
    hoist_text text;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_text_init(&text, &out, row->width, false);
    hoist_text_summarize(&text, row->lines, "--all");
    hoist_tree_sink sink = hoist_text_sink(&text);
    row->send(&sink);
    HOIST_EXPECT_EQ(t, sink.status, HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->expected);
    hoist_text_deinit(&text);
    hoist_buffer_deinit(&out);
}

static hoist_status run(send_fn *send, hoist_allocator alloc)
{
    hoist_buffer out;
    hoist_text text;
    hoist_buffer_init(&out, alloc);
    hoist_text_init(&text, &out, 60, false);
    hoist_tree_sink sink = hoist_text_sink(&text);
    send(&sink);
    hoist_text_deinit(&text);
    hoist_buffer_deinit(&out);
    return sink.status;
}

static void send_end(hoist_tree_sink *s)
{
    hoist_tree_end(s);
}

static void send_two(hoist_tree_sink *s)
{
    hoist_tree_null(s, "");
    hoist_tree_null(s, "");
}

static void send_deep(hoist_tree_sink *s, int depth)
{
    for (int i = 0; i < depth; i++) {
        hoist_tree_map(s, "k");
    }
    for (int i = 0; i < depth; i++) {
        hoist_tree_end(s);
    }
}

static void send_256(hoist_tree_sink *s)
{
    send_deep(s, 256);
}

static void send_257(hoist_tree_sink *s)
{
    send_deep(s, 257);
}

// clang-format off
static const struct {
    const char *name;
    send_fn *send;
    hoist_status want;
} limits[] = {
    {"an end too many", send_end, HOIST_INTERNAL},
    {"a second root",   send_two, HOIST_INTERNAL},
    {"256 levels",      send_256, HOIST_OK},
    {"257 levels",      send_257, HOIST_LIMIT},
};
// clang-format on

HOIST_TEST_TABLE(refusals, limits)
{
    HOIST_EXPECT_EQ(t, run(row->send, hoist_allocator_system()), row->want);
}

static void send_wide(hoist_tree_sink *s)
{
    char key[16];
    hoist_tree_list(s, "");
    hoist_tree_map(s, "");
    for (int i = 0; i < 65; i++) {
        (void)snprintf(key, sizeof(key), "k%d", i);
        hoist_tree_int(s, key, i);
    }
    hoist_tree_end(s);
    hoist_tree_end(s);
}

HOIST_TEST(too_many_columns_make_no_table)
{
    hoist_buffer out;
    hoist_text text;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_text_init(&text, &out, 0, false);
    hoist_tree_sink sink = hoist_text_sink(&text);
    send_wide(&sink);
    HOIST_EXPECT(t, hoist_str_starts_with(hoist_buffer_text(&out), "0\n  k1:  1\n  k2:  2\n"));
    hoist_text_deinit(&text);
    hoist_buffer_deinit(&out);
}

static hoist_status send_with(hoist_allocator alloc, const void *self)
{
    (void)self;
    return run(send_netlist, alloc);
}

HOIST_TEST(survives_every_failed_allocation)
{
    hoist_test_starve(t, send_with, NULL);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(documents), HOIST_TEST_ROW(refusals),
                HOIST_TEST_ROW(summaries_cut_lists),

                HOIST_TEST_ROW(too_many_columns_make_no_table),
                HOIST_TEST_ROW(survives_every_failed_allocation))
