#include "base/options.h"
#include "testing/test.h"

// What this library knows, and what a newer caller passes on.
typedef struct own_options {
    size_t struct_size;
    size_t first;
    size_t second;
} own_options;

typedef struct newer_options {
    own_options own;
    size_t third;
} newer_options;

static const struct {
    const char *name;
    newer_options given;
    hoist_status want;
    size_t want_first;
    size_t want_second;
} cases[] = {
    {"the same version", {{sizeof(own_options), 1, 2}, 3}, HOIST_OK, 1, 2},
    {"an older caller", {{offsetof(own_options, second), 1, 2}, 3}, HOIST_OK, 1, 0},
    {"the size alone", {{sizeof(size_t), 1, 2}, 3}, HOIST_OK, 0, 0},
    {"a newer caller, nothing new set", {{sizeof(newer_options), 1, 2}, 0}, HOIST_OK, 1, 2},
    {"a newer caller, the new set", {{sizeof(newer_options), 1, 2}, 3}, HOIST_UNSUPPORTED, 0, 0},
    {"its first byte", {{sizeof(own_options) + 1, 1, 2}, SIZE_MAX}, HOIST_UNSUPPORTED, 0, 0},
    {"no size", {{0, 1, 2}, 3}, HOIST_INVALID, 0, 0},
    {"less than the size itself", {{sizeof(size_t) - 1, 1, 2}, 3}, HOIST_INVALID, 0, 0},
    {"more than any", {{HOIST_OPTIONS_MAX + 1, 1, 2}, 3}, HOIST_INVALID, 0, 0},
    {"garbage", {{SIZE_MAX, 1, 2}, 3}, HOIST_INVALID, 0, 0},
};

HOIST_TEST_TABLE(callers_of_all_versions, cases)
{
    own_options own = {77, 77, 77};
    HOIST_EXPECT_EQ(t, hoist_options_read(&row->given, &own, sizeof(own)), row->want);
    HOIST_EXPECT_EQ(t, own.struct_size, sizeof(own));
    HOIST_EXPECT_EQ(t, own.first, row->want_first);
    HOIST_EXPECT_EQ(t, own.second, row->want_second);
}

HOIST_TEST(no_options_are_zeros)
{
    own_options own = {77, 77, 77};
    HOIST_EXPECT_EQ(t, hoist_options_read(NULL, &own, sizeof(own)), HOIST_OK);
    HOIST_EXPECT_EQ(t, own.struct_size, sizeof(own));
    HOIST_EXPECT_EQ(t, own.first + own.second, 0);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(callers_of_all_versions), HOIST_TEST_ROW(no_options_are_zeros))
