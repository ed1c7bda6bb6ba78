#include <sys/wait.h>
#include <unistd.h>

#include "os/process.h"
#include "testing/test.h"

HOIST_TEST(a_child_is_alive_until_it_was_waited_for)
{
    int hold[2];
    HOIST_EXPECT_EQ(t, pipe(hold), 0);
    const pid_t child = fork();
    if (child == 0) {
        char byte = 0;
        (void)close(hold[1]);
        _exit(read(hold[0], &byte, 1) == 0 ? 0 : 1);
    }
    hoist_process_id id = hoist_process_self();
    HOIST_EXPECT(t, hoist_process_is_alive(id));
    id.number = child;
    HOIST_EXPECT(t, hoist_process_is_alive(id));
    (void)close(hold[1]);
    (void)close(hold[0]);
    HOIST_EXPECT_EQ(t, waitpid(child, NULL, 0), child);
    HOIST_EXPECT(t, !hoist_process_is_alive(id));
    id.host++; // a process of another machine may have any number
    HOIST_EXPECT(t, hoist_process_is_alive(id));
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(a_child_is_alive_until_it_was_waited_for))
