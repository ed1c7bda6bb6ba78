// Every queue of the golden runs: packing, unpacking, push and pop of whole entries.
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "kernels/pack_testing.h"
#include "tensor/host.h"
#include "vectors.h"

// One line of a case's index.txt.
typedef struct queue {
    const char *prefix; // path up to the file's suffix
    hoist_queue_layout layout;
    unsigned entries;
    bool is_input;
} queue;

static const char *after(const char *line, const char *key)
{
    const char *at = strstr(line, key);
    return at ? at + strlen(key) : "";
}

static bool parse_line(hoist_test *t, const char *directory, const char *line, queue *out_queue)
{
    char direction[8];
    char name[160];
    char df[32];
    char order = 'r';
    hoist_tiling g = {0};
    if (sscanf(line, "%7s %159s", direction, name) != 2 ||
        sscanf(after(line, " df="), "%31s", df) != 1) {
        return false;
    }
    (void)sscanf(after(line, " order="), "%c", &order);
    const int parts =
        sscanf(after(line, " grid="), "%ux%u t=%u mblock=[%u,%u] ublock=[%u,%u]", &g.grid_rows,
               &g.grid_cols, &g.t, &g.mblock_m, &g.mblock_n, &g.ublock_rt, &g.ublock_ct) +
        sscanf(after(line, " tile="), "%ux%u", &g.tile_height, &g.tile_width);
    g.column_major = order == 'c';
    *out_queue = (queue){.is_input = strcmp(direction, "IN") == 0};
    const char *entries = after(line, out_queue->is_input ? " entries_pushed=" : " entries=");
    out_queue->layout = (hoist_queue_layout){g, vectors_dtype(hoist_str_from(df)), 32,
                                             strstr(line, "layout=flat") != NULL, false};
    out_queue->prefix = hoist_arena_format(&t->arena, "%s/%s_%s", directory,
                                           out_queue->is_input ? "in" : "out", name)
                            .data;
    return parts == 9 && sscanf(entries, "%u", &out_queue->entries) == 1;
}

static const char *path_of(hoist_test *t, const queue *q, const char *suffix)
{
    return hoist_arena_format(&t->arena, "%s%s", q->prefix, suffix).data;
}

// The packed file cut into the buffers of the grid.
static hoist_mut_bytes *cut_buffers(hoist_test *t, hoist_bytes packed, size_t count)
{
    hoist_mut_bytes *buffers = hoist_arena_array(&t->arena, count, sizeof *buffers);
    uint8_t *copy = hoist_arena_alloc(&t->arena, packed.size);
    memcpy(copy, packed.data, packed.size);
    for (size_t i = 0; i < count; i++) {
        const size_t size = packed.size / count;
        buffers[i] = (hoist_mut_bytes){copy + i * size, size};
    }
    return buffers;
}

static void check_packing(hoist_test *t, const queue *q, const float *entry, size_t elements)
{
    const hoist_bytes packed = hoist_test_file(t, path_of(t, q, ".e0.packed"));
    HOIST_EXPECT(t, packed.data);
    if (!packed.data) {
        return;
    }
    const hoist_queue_layout layout = q->layout;
    const size_t count = (size_t)layout.tiling.grid_rows * layout.tiling.grid_cols;
    hoist_mut_bytes *buffers = cut_buffers(t, packed, count);
    float *unpacked = hoist_arena_array(&t->arena, elements, sizeof *unpacked);
    HOIST_EXPECT_EQ(t, hoist_queue_unpack(&layout, buffers, count, unpacked), HOIST_OK);
    float *quantized = hoist_arena_array(&t->arena, elements, sizeof *quantized);
    memcpy(quantized, entry, elements * sizeof *quantized);
    if (!q->is_input) { // an input is already what packing makes of it
        HOIST_EXPECT_EQ(t, hoist_queue_quantize(&layout, quantized), HOIST_OK);
    }
    vectors_compare_floats(t, "unpacked", unpacked, quantized, elements);
    memset(buffers[0].data, 0xa5, packed.size);
    HOIST_EXPECT_EQ(t, hoist_queue_pack(&layout, entry, buffers, count), HOIST_OK);
    vectors_compare(t, "packed", (hoist_bytes){buffers[0].data, packed.size}, packed);
    const hoist_cpu_level machine = hoist_cpu_detect();
    for (hoist_cpu_level level = HOIST_CPU_BASELINE; level <= machine; level++) {
        const hoist_pack_kernels *kernels = hoist_pack_kernels_at(level);
        HOIST_EXPECT_EQ(t, hoist_pack_queue(kernels, &layout, entry, buffers, count), HOIST_OK);
        vectors_compare(t, hoist_pack_kernels_name(kernels),
                        (hoist_bytes){buffers[0].data, packed.size}, packed);
        HOIST_EXPECT_EQ(t, hoist_unpack_queue(kernels, &layout, buffers, count, unpacked),
                        HOIST_OK);
        vectors_compare_floats(t, hoist_pack_kernels_name(kernels), unpacked, quantized, elements);
    }
}

static hoist_status load_and_quantize(const hoist_queue_layout *layout, hoist_bytes host,
                                      float *tensor)
{
    HOIST_TRY(hoist_host_load(layout, host, tensor));
    return layout->dtype == HOIST_DTYPE_F32 ? HOIST_OK : hoist_queue_quantize(layout, tensor);
}

static void check_push(hoist_test *t, const queue *q, const float *entry, size_t elements)
{
    hoist_bytes host = vectors_npy(t, path_of(t, q, ".host.npy"));
    HOIST_EXPECT(t, host.data);
    host.size /= q->entries;
    float *pushed = hoist_arena_array(&t->arena, elements, sizeof *pushed);
    HOIST_EXPECT_EQ(t, load_and_quantize(&q->layout, host, pushed), HOIST_OK);
    vectors_compare_floats(t, "pushed", pushed, entry, elements);
}

static void check_pop(hoist_test *t, const queue *q, const float *entry)
{
    hoist_bytes host = vectors_npy(t, path_of(t, q, ".host.npy"));
    HOIST_EXPECT(t, host.data);
    host.size /= q->entries;
    const hoist_mut_bytes popped = {hoist_arena_alloc(&t->arena, host.size), host.size};
    HOIST_EXPECT_EQ(t, hoist_host_pop(&q->layout, entry, popped), HOIST_OK);
    vectors_compare(t, "popped", (hoist_bytes){popped.data, popped.size}, host);
}

// Flat queues have host data only: what is pushed comes back.
static void check_flat(hoist_test *t, const queue *q, size_t elements)
{
    const hoist_bytes host = vectors_npy(t, path_of(t, q, ".host.npy"));
    float *pushed = hoist_arena_array(&t->arena, elements, sizeof *pushed);
    HOIST_EXPECT_EQ(t, load_and_quantize(&q->layout, host, pushed), HOIST_OK);
    check_pop(t, q, pushed);
}

static void check_queue(hoist_test *t, const queue *q)
{
    hoist_queue_size size;
    HOIST_EXPECT_EQ(t, hoist_queue_measure(&q->layout, &size), HOIST_OK);
    if (size.tiling.elements == 0) {
        return;
    }
    if (q->layout.flat) {
        check_flat(t, q, size.tiling.elements);
        return;
    }
    const size_t entries = q->is_input ? 1 : q->entries;
    const float *tensor = vectors_floats(t, path_of(t, q, q->is_input ? ".e0.f32.npy" : ".f32.npy"),
                                         entries * size.tiling.elements);
    HOIST_EXPECT(t, tensor);
    if (!tensor) {
        return;
    }
    check_packing(t, q, tensor, size.tiling.elements);
    if (q->is_input) {
        check_push(t, q, tensor, size.tiling.elements);
    } else {
        check_pop(t, q, tensor);
    }
}

// The files of one case come and go with a test of their own, so that memory stays small.
static size_t check_case(const char *directory)
{
    hoist_test t;
    hoist_test_begin(&t);
    const hoist_str index_path = hoist_arena_format(&t.arena, "%s/index.txt", directory);
    const hoist_bytes index = hoist_test_file(&t, index_path.data);
    const hoist_str text = {(const char *)index.data, index.size};
    char *copy = index.data ? (char *)(uintptr_t)hoist_arena_str(&t.arena, text).data : NULL;
    size_t seen = 0;
    for (char *save = NULL, *line = copy ? strtok_r(copy, "\n", &save) : NULL; line;
         line = strtok_r(NULL, "\n", &save)) {
        queue q;
        if (line[0] == '#' || !parse_line(&t, directory, line, &q)) {
            continue;
        }
        hoist_test_row(&t, q.prefix);
        if (q.entries > 0) {
            check_queue(&t, &q);
        }
        seen++;
    }
    hoist_test_end(&t);
    return seen;
}

HOIST_TEST(queues)
{
    const char *root = hoist_test_corpus(t, "buda-golden");
    DIR *directory = root ? opendir(root) : NULL;
    if (!directory) {
        hoist_test_skip(t, "the corpus is absent");
        return;
    }
    size_t seen = 0;
    for (const struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
        if (entry->d_name[0] != '.' && strcmp(entry->d_name, "formats_and_tms") != 0) {
            seen += check_case(hoist_arena_format(&t->arena, "%s/%s", root, entry->d_name).data);
        }
    }
    (void)closedir(directory);
    HOIST_EXPECT_EQ(t, seen, 508);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(queues))
