#include "base/poison.h"
#include "os/pages.h"
#include "testing/test.h"

HOIST_TEST(pages_are_zero_and_writable)
{
    const size_t size = 3 * 4096 + 5;
    hoist_mut_bytes pages = hoist_pages_alloc(size);
    HOIST_EXPECT_EQ(t, pages.size, size);
    HOIST_EXPECT_EQ(t, (uintptr_t)pages.data % 64, 0);
    for (size_t i = 0; i < pages.size; i++) {
        HOIST_EXPECT(t, pages.data[i] == 0);
        pages.data[i] = 1;
    }
    hoist_pages_free(pages);
}

// A large page that is touched is there as a whole, so none may reach beyond what was asked for.
HOIST_TEST(large_pages_end_where_the_memory_does)
{
    const size_t large = (size_t)2 << 20;
    const hoist_mut_bytes pages = hoist_pages_alloc(3 * large + 5);
    HOIST_EXPECT_EQ(t, pages.size, 3 * large + 5);
    HOIST_EXPECT_EQ(t, (uintptr_t)pages.data % large, 0); // else it would have one less
    for (size_t i = 0; i < pages.size; i += 4096) {
        HOIST_EXPECT(t, pages.data[i] == 0);
        pages.data[i] = 1;
    }
    pages.data[pages.size - 1] = 1;
    hoist_pages_free(pages);
}

HOIST_TEST(bytes_behind_pages_may_not_be_touched)
{
    if (!HOIST_POISONS) {
        hoist_test_skip(t, "built without AddressSanitizer");
    }
    const hoist_mut_bytes pages = hoist_pages_alloc(4096 + 5);
    HOIST_EXPECT(t, !hoist_is_poisoned(pages.data + pages.size - 1));
    HOIST_EXPECT(t, hoist_is_poisoned(pages.data + pages.size));
    HOIST_EXPECT(t, hoist_is_poisoned(pages.data + pages.size + 4080));
    hoist_pages_free(pages);
    HOIST_EXPECT(t, !hoist_is_poisoned(pages.data + pages.size));
}

static const struct {
    const char *name;
    size_t size;
} refused[] = {{"nothing", 0}, {"more than addresses", SIZE_MAX}, {"too much", (size_t)1 << 60}};

HOIST_TEST_TABLE(what_the_system_does_not_have, refused)
{
    const hoist_mut_bytes pages = hoist_pages_alloc(row->size);
    HOIST_EXPECT(t, pages.data == NULL);
    HOIST_EXPECT_EQ(t, pages.size, 0);
    hoist_pages_free(pages);
}

HOIST_TEST(the_machine_has_memory)
{
    HOIST_EXPECT(t, hoist_memory_size() >= (uint64_t)16 << 20);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(pages_are_zero_and_writable),
                HOIST_TEST_ROW(large_pages_end_where_the_memory_does),
                HOIST_TEST_ROW(bytes_behind_pages_may_not_be_touched),
                HOIST_TEST_ROW(what_the_system_does_not_have),
                HOIST_TEST_ROW(the_machine_has_memory))
