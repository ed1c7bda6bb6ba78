#include <string.h>

#include "os/own_folder.h"
#include "testing/test.h"

HOIST_TEST(the_folder_is_that_of_the_program)
{
    char folder[4096];
    HOIST_EXPECT(t, hoist_own_folder(folder, sizeof folder));
    HOIST_EXPECT(t, folder[0] == '/');
    const size_t length = strlen(folder);
    HOIST_EXPECT(t, folder[length - 1] != '/');
    char small[4096];
    HOIST_EXPECT(t, hoist_own_folder(small, length + 1));
    HOIST_EXPECT(t, strcmp(small, folder) == 0);
    HOIST_EXPECT(t, !hoist_own_folder(small, length));
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(the_folder_is_that_of_the_program))
