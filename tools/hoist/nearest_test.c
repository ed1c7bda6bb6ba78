// Names near a word: which is proposed, and when none is.
#include <stdio.h>
#include <string.h>

#include "base/span.h"
#include "nearest.h"
#include "testing/test.h"

// clang-format off
static const struct {
    const char *name; // the word
    const char *names; // with blanks between them
    const char *nearest; // NULL: none
} cases[] = {
    {"chec",             "check dump diff",     "check"},
    {"checks",           "check dump diff",     "check"},
    {"hceck",            "check dump diff",     "check"},
    {"CHECK",            "check dump diff",     "check"},
    {"cheque",           "check dump diff",     NULL},
    {"cheqk",            "check dump diff",     "check"},
    {"kcehc",            "check dump diff",     NULL},
    {"frobnicate",       "check dump diff",     NULL},
    {"",                 "check a ab",          NULL},
    {"ab",               "a abc",               NULL},
    {"ab",               "AB",                  "AB"},
    {"dimp",             "dump damp",           NULL},
    {"dump",             "damp dump dmp",       "dump"},
    {"dumq",             "damp dump",           "dump"},
    {"max-memry",        "max-memory max-steps", "max-memory"},
    {"mx-memry",         "max-memory",          "max-memory"},
    {"mx-mmry",          "max-memory",          NULL},
    {"iteratons-of-two", "iterations-of-two",   "iterations-of-two"},
    {"a-word-that-is-longer-than-any-name-can-be-here", "a-word-that-is-longer-than-any-name-can-be-her", NULL},
};
// clang-format on

HOIST_TEST_TABLE(one_name_is_proposed, cases)
{
    tool_nearest n = tool_nearest_begin(row->name, strlen(row->name));
    char names[64];
    char *rest = NULL;
    (void)snprintf(names, sizeof names, "%s", row->names);
    for (char *name = strtok_r(names, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
        tool_nearest_try(&n, name);
    }
    const char *const found = tool_nearest_name(&n);
    HOIST_EXPECT_STR(t, hoist_str_from(found ? found : "none"),
                     row->nearest ? row->nearest : "none");
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(one_name_is_proposed))
