// The order of a plan's groups against ARK's barriers, executed one after the other for each
// processor (ark reference section 9.4).
#include "base/alloc.h"
#include "base/buffer.h"
#include "formats/ark/plan_order.h"
#include "formats/ark/plan_testing.h"

enum { PROCESSORS = 8, MAX_GROUPS = 24 };

// Groups, and for each processor those that are over when it goes on: a bit each.
typedef struct barriers {
    ark_span groups[MAX_GROUPS];
    uint32_t count;
    bool unsynced[MAX_GROUPS];
    uint32_t done[PROCESSORS];
    uint32_t before[MAX_GROUPS]; // what is over when the group starts, on all its processors
} barriers;

static bool is_within(ark_span a, ark_span b)
{
    return a.begin >= b.begin && a.end <= b.end;
}

// All processors of the span wait for each other: whatever ran on them alone is over.
static void wait_for_all(barriers *b, ark_span span)
{
    uint32_t known = 0;
    for (int64_t p = span.begin; p < span.end; p++) {
        known |= b->done[p];
    }
    for (uint32_t g = 0; g < b->count; g++) {
        known |= b->unsynced[g] && is_within(b->groups[g], span) ? UINT32_C(1) << g : 0;
    }
    for (int64_t p = span.begin; p < span.end; p++) {
        b->done[p] = known;
    }
}

static void add_group(barriers *b, ark_span group)
{
    bool all = false; // a barrier over the processors of the new group
    for (uint32_t u = 0; u < b->count; u++) {
        const ark_span other = b->groups[u];
        if (!b->unsynced[u] || other.begin >= group.end || group.begin >= other.end) {
            continue;
        }
        if (is_within(other, group)) {
            all = true;
        } else {
            wait_for_all(b, other);
            all = all || !is_within(group, other);
        }
    }
    if (all) {
        wait_for_all(b, group);
    }
    for (uint32_t u = 0; u < b->count; u++) {
        b->unsynced[u] =
            b->unsynced[u] && (b->groups[u].begin >= group.end || group.begin >= b->groups[u].end);
    }
    b->before[b->count] = UINT32_MAX;
    for (int64_t p = group.begin; p < group.end; p++) {
        b->before[b->count] &= b->done[p];
    }
    b->unsynced[b->count] = true;
    b->groups[b->count++] = group;
}

// splitmix64, below `end`.
static int64_t draw(uint64_t *state, int64_t end)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return (int64_t)((z ^ (z >> 31)) % (uint64_t)end);
}

// A plan of these groups, each of which executes the only task.
static hoist_str plan_of(hoist_test *t, const barriers *b)
{
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_buffer_c(
        &text,
        "{\"Rank\":0,\"WorldSize\":1,\"Architecture\":\"ANY\",\"NumProcessors\":8,"
        "\"NumWarpsPerProcessor\":16,\"TaskInfos\":[" PLAN_TASK("0", "") "],\"ProcessorGroups\":[");
    for (uint32_t i = 0; i < b->count; i++) {
        const int begin = (int)b->groups[i].begin;
        const int end = (int)b->groups[i].end;
        hoist_buffer_format(&text,
                            "%s{\"ProcessorRange\":[%d,%d],\"ResourceGroups\":[{"
                            "\"ProcessorRange\":[%d,%d],\"WarpRange\":[0,16],\"SramRange\":[0,0],"
                            "\"TaskGroups\":[" PLAN_USE("0", "0,1") "]}]}",
                            i ? "," : "", begin, end, begin, end);
    }
    hoist_buffer_c(&text, "]}");
    const hoist_str copy = hoist_arena_str(&t->arena, hoist_buffer_text(&text));
    hoist_buffer_deinit(&text);
    return copy;
}

static void compare(hoist_test *t, const barriers *b)
{
    ark_test_file file;
    ark_plan_order order;
    HOIST_EXPECT_EQ(t, ark_test_open(plan_of(t, b).data, hoist_allocator_system(), NULL, &file),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, ark_plan_order_find(ark_module_of(file.module), &t->arena, &order),
                    HOIST_OK);
    HOIST_EXPECT(t, order.valid);
    HOIST_EXPECT_EQ(t, order.unit_count, b->count);
    bool exact = true; // no group so far begins on some processors before others
    for (uint32_t j = 0; j < order.unit_count; j++) {
        exact = exact && (order.groups[j].waits || order.groups[j].before_count == 0);
        for (uint32_t i = 0; i < j; i++) {
            const bool over = b->before[j] >> i & 1;
            const bool concurrent = ark_units_concurrent(&order, i, j);
            HOIST_EXPECT(t, exact ? concurrent != over : !concurrent || !over);
        }
    }
    ark_test_close(&file);
}

HOIST_TEST(random_groups)
{
    uint64_t state = 7;
    for (int round = 0; round < HOIST_TEST_ROUNDS(300); round++) {
        barriers b = {.count = 0};
        const int64_t count = 1 + draw(&state, MAX_GROUPS);
        for (int64_t i = 0; i < count; i++) {
            const int64_t begin = draw(&state, PROCESSORS);
            add_group(&b, (ark_span){begin, begin + 1 + draw(&state, PROCESSORS - begin)});
        }
        compare(t, &b);
    }
}

static const struct {
    const char *name;
    int64_t values[4];
    size_t count;
    bool valid;
} ranges[] = {
    {"one number", {3}, 1, false},
    {"two numbers", {3, 5}, 2, true},
    {"nothing", {3, 3}, 2, true},
    {"backwards", {5, 3}, 2, false},
    {"below 0", {-1, 3}, 2, false},
    {"by 2, the last one cut", {3, 8, 2}, 3, true},
    {"by 2, to the end", {3, 9, 2}, 3, true},
    {"by 0", {3, 8, 0}, 3, false},
    {"four numbers", {3, 8, 1, 1}, 4, false},
    {"all", {0, INT64_MAX, 1}, 3, true},
};

HOIST_TEST_TABLE(task_ranges, ranges)
{
    hoist_rec_int items[4] = {{.value = 0}};
    ark_task_range range;
    for (size_t i = 0; i < row->count; i++) {
        items[i].value = row->values[i];
    }
    const hoist_rec_ints list = {.items = items, .count = row->count};
    HOIST_EXPECT_EQ(t, ark_range_read(&list, &range), row->valid);
    if (row->valid) {
        HOIST_EXPECT_EQ(t, range.begin, row->values[0]);
        HOIST_EXPECT_EQ(t, range.end, row->values[1]);
        HOIST_EXPECT_EQ(t, range.step, row->count == 3 ? row->values[2] : 1);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(random_groups), HOIST_TEST_ROW(task_ranges))
