#include <string.h>

#include "hoist/base.h"

#include "testing/test.h"

HOIST_TEST(every_status_has_a_name_of_its_own)
{
    for (int i = HOIST_OK; i <= HOIST_INTERNAL; i++) {
        const char *name = hoist_status_name((hoist_status)i);
        const hoist_str text = hoist_str_from(name);
        HOIST_EXPECT(t, text.size && !hoist_str_equal_c(text, "unknown"));
        for (int j = HOIST_OK; j < i; j++) {
            HOIST_EXPECT(t, !hoist_str_equal_c(text, hoist_status_name((hoist_status)j)));
        }
    }
    HOIST_EXPECT(t, strcmp(hoist_status_name((hoist_status)(HOIST_INTERNAL + 1)), "unknown") == 0);
}

HOIST_TEST(severities_have_the_words_of_messages)
{
    HOIST_EXPECT(t, strcmp(hoist_severity_name(HOIST_NOTE), "note") == 0);
    HOIST_EXPECT(t, strcmp(hoist_severity_name(HOIST_WARNING), "warning") == 0);
    HOIST_EXPECT(t, strcmp(hoist_severity_name(HOIST_ERROR), "error") == 0);
    HOIST_EXPECT(t, strcmp(hoist_refuser_name(HOIST_REFUSER_NONE), "none") == 0);
    HOIST_EXPECT(t, strcmp(hoist_refuser_name(HOIST_REFUSER_PARSER), "parser") == 0);
    HOIST_EXPECT(t, strcmp(hoist_refuser_name(HOIST_REFUSER_GOLDEN), "golden model") == 0);
    HOIST_EXPECT(t, strcmp(hoist_refuser_name(HOIST_REFUSER_COMPILER), "compiler") == 0);
    HOIST_EXPECT(t, strcmp(hoist_refuser_name(HOIST_REFUSER_RUNTIME), "device runtime") == 0);
    HOIST_EXPECT(t, hoist_refuser_name((hoist_refuser)3) == NULL);
}

static hoist_status half(int n, int *out)
{
    *out = n / 2;
    return n % 2 ? HOIST_INVALID : HOIST_OK;
}

static hoist_status quarter(int n, int *out)
{
    HOIST_TRY(half(n, out));
    HOIST_TRY(half(*out, out));
    return HOIST_OK;
}

HOIST_TEST(try_returns_the_first_failure)
{
    int out = 0;
    HOIST_EXPECT_EQ(t, quarter(12, &out), HOIST_OK);
    HOIST_EXPECT_EQ(t, out, 3);
    HOIST_EXPECT_EQ(t, quarter(13, &out), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, out, 6);
    HOIST_EXPECT_EQ(t, quarter(14, &out), HOIST_INVALID);
}

HOIST_TEST(the_version_is_its_numbers)
{
    HOIST_EXPECT_STR(t,
                     hoist_arena_format(&t->arena, "%d.%d.%d", HOIST_VERSION_MAJOR,
                                        HOIST_VERSION_MINOR, HOIST_VERSION_PATCH),
                     hoist_version());
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(every_status_has_a_name_of_its_own),
                HOIST_TEST_ROW(severities_have_the_words_of_messages),
                HOIST_TEST_ROW(try_returns_the_first_failure),
                HOIST_TEST_ROW(the_version_is_its_numbers))
