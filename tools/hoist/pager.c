// The pager of reports on a terminal, as git has one: HOIST_PAGER, else PAGER, else less. It gets
// standard error, too, where that is the same terminal, so that errors are among the output.
#include "os/pager.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "os/term.h"
#include "tool.h"

// A signal handler has no other way to it.
static hoist_pager pager;

// The pager that the environment asks for, with the variable that does; NULL: none.
// Set but empty means none, as for git; "cat" would only cost a process.
static const char *chosen_pager(const char **out_variable)
{
    static const char *const variables[] = {"HOIST_PAGER", "PAGER"};
    static const char usual[] = "less";
    const char *command = NULL;
    *out_variable = NULL;
    for (size_t i = 0; !command && i < sizeof(variables) / sizeof(variables[0]); i++) {
        command = getenv(variables[i]);
        *out_variable = variables[i];
    }
    if (!command) {
        *out_variable = NULL;
        return hoist_pager_is_program(usual) ? usual : NULL;
    }
    return *command == '\0' || strcmp(command, "cat") == 0 ? NULL : command;
}

void tool_pager_begin(tool *t)
{
    const char *variable = NULL;
    const char *const command = t->is_terminal ? chosen_pager(&variable) : NULL;
    if (!command) {
        return;
    }
    // Complained about here, since a shell that cannot start it would take the output with it.
    if (!hoist_pager_is_program(command)) {
        tool_complain(t, "%s: there is no program '%s': the output is not paged", variable,
                      command);
        return;
    }
    // A short text leaves no trace of the pager; colors are passed on.
    // F: quit if it fits on the screen, R: pass on colors, X: leave the screen as it is; what
    // the user has set stays, as with git.
    (void)setenv("LESS", "FRX", 0);
    (void)setenv("LV", "-c", 0);
    const bool has_errors = hoist_term_is_tty(STDERR_FILENO);
    // Both outputs keep their buffers; only where these go changes.
    if (hoist_pager_begin(command, &pager)) {
        t->out->fd = pager.fd;
        t->err->fd = has_errors ? pager.fd : t->err->fd;
    }
}

void tool_pager_end(void)
{
    hoist_pager_end(&pager);
}
