#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "os/pager.h"
#include "testing/test.h"

// clang-format off
static const struct {
    const char *name;
    const char *command;
    bool is_program;
} commands[] = {
    {"in PATH", "cat", true},
    {"with an argument", "  cat -u", true},
    {"a path", "/bin/sh", true},
    {"no such program", "no-such-pager-1", false},
    {"no such path", "/no/such/pager -R", false},
    {"nothing", "", false},
    {"what a shell knows itself", "trap '' INT; cat", true},
    {"what a shell has to read", "LESS=X no-such-pager", true},
};
// clang-format on

HOIST_TEST_TABLE(programs_are_found, commands)
{
    HOIST_EXPECT_EQ(t, hoist_pager_is_program(row->command), row->is_program);
}

HOIST_TEST(a_pager_reads_what_is_written)
{
    static const char text[] = "a line\n";
    char folder[] = "/tmp/hoist-pager-XXXXXX";
    char command[128];
    char path[64];
    char got[64] = "";
    hoist_pager pager;
    HOIST_EXPECT(t, mkdtemp(folder) != NULL);
    (void)snprintf(path, sizeof(path), "%s/out", folder);
    (void)snprintf(command, sizeof(command), "cat >%s", path);
    HOIST_EXPECT(t, hoist_pager_begin(command, &pager));
    HOIST_EXPECT_EQ(t, write(pager.fd, text, strlen(text)), (ssize_t)strlen(text));
    hoist_pager_end(&pager);
    hoist_pager_end(&pager);
    FILE *const file = fopen(path, "r");
    HOIST_EXPECT(t, file && fgets(got, sizeof(got), file) != NULL);
    HOIST_EXPECT_EQ(t, strcmp(got, text), 0);
    (void)(file && fclose(file));
    (void)unlink(path);
    (void)rmdir(folder);
}

// A pager that ends at once, as after 'q': writing fails, and nothing waits.
HOIST_TEST(a_pager_may_end_first)
{
    hoist_pager pager;
    HOIST_EXPECT(t, hoist_pager_begin("exit 3", &pager));
    hoist_pager_end(&pager);
    HOIST_EXPECT_EQ(t, pager.pid, 0);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(programs_are_found), HOIST_TEST_ROW(a_pager_reads_what_is_written),
                HOIST_TEST_ROW(a_pager_may_end_first))
