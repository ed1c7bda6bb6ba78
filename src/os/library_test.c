// Libraries that are there, that are not, and names that they lack.
#include <string.h>

#include "os/library.h"
#include "testing/test.h"

HOIST_TEST(one_that_is_there)
{
    const char *reason = "before";
    void *const library = hoist_library_open("libc.so.6", &reason);
    HOIST_EXPECT(t, library != NULL && reason == NULL);
    size_t (*length)(const char *text) = NULL;
    void *const found = hoist_library_find(library, "strlen");
    memcpy(&length, &found, sizeof(found));
    HOIST_EXPECT(t, length && length("four") == 4);
    HOIST_EXPECT(t, !hoist_library_find(library, "hoist_has_no_such_name"));
    hoist_library_close(library);
}

HOIST_TEST(one_that_is_not)
{
    const char *reason = NULL;
    HOIST_EXPECT(t, !hoist_library_open("libhoist-none.so.0", &reason));
    HOIST_EXPECT(t, reason && strstr(reason, "libhoist-none.so.0"));
    hoist_library_close(NULL);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(one_that_is_there), HOIST_TEST_ROW(one_that_is_not))
