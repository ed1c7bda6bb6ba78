// Memory of homes: PRG-045.
#include "program/program_testing.h"

// Memory of home 1, next to that of home 0.
#define FAR                                                                                        \
    "space far home 1\nbuffer z in far size 64 lifetime session\n"                                 \
    "function near {\nmove copy from [x f32[1]] to y f32[1]\n}\n"                                  \
    "function out {\nmove copy from [z f32[1]] to z f32[1] + 4\n}\n"                               \
    "function calls_out {\nparameter v view f32[1] written\n"                                      \
    "move copy from [param(v) f32[1]] to param(v) f32[1]\ncall out\n}\n"
#define THREAD(home, steps) FAR "thread w" home " {\nregister i\n" steps "}\n"

static const hoist_verify_case cases[] = {
    {"a source", THREAD("", "move copy from [x f32[1]] to y f32[1]\n"),
     THREAD("", "move copy from [z f32[1]] to y f32[1]\n"),
     "16:1 threads/w/steps/0: space 'far' is of home 1, the thread is of home 0 [PRG-045]"},
    {"a destination", THREAD(" home 1", "move copy from [z f32[1]] to z f32[1] + 4\n"),
     THREAD(" home 1", "move copy from [z f32[1]] to y f32[1]\n"),
     "16:1 threads/w/steps/0: space 'm' is of home 0, the thread is of home 1 [PRG-045]"},
    {"an address", THREAD(" home 1", "move copy from [space(far) f32[1] + i * 1] to z f32[1]\n"),
     THREAD(" home 1", "move copy from [space(m) f32[1] + i * 1] to z f32[1]\n"),
     "16:1 threads/w/steps/0: space 'm' is of home 0, the thread is of home 1 [PRG-045]"},
    {"a slot is of no home",
     THREAD(" home 1", "move copy from [read(q) f32 tiled()] to write(q) f32 tiled()\n"),
     THREAD(" home 1", "move copy from [read(q) f32 tiled()] to t f32 tiled()\n"),
     "16:1 threads/w/steps/0: space 'host' is of home 0, the thread is of home 1 [PRG-045]"},
    {"a collective touches the member's own memory",
     THREAD(" home 1",
            "collective broadcast group 0 members 1 rank 0 from z f32[1] to z f32[1] + 4\n"),
     THREAD(" home 1", "collective broadcast group 0 members 1 rank 0 from z f32[1] to x f32[1]\n"),
     "16:1 threads/w/steps/0: space 'm' is of home 0, the thread is of home 1 [PRG-045]"},
    {"a record of unknown meaning", THREAD(" home 1", "opaque o writes [z u8[4]]\n"),
     THREAD(" home 1", "opaque o writes [x u8[4]]\n"),
     "16:1 threads/w/steps/0: space 'm' is of home 0, the thread is of home 1 [PRG-045]"},
    {"a function", THREAD("", "call near\n"), THREAD("", "call out\n"),
     "16:1 threads/w/steps/0: memory of function 'out' is of home 1, the thread is of home 0 "
     "[PRG-045]"},
    {"a function that is posted", THREAD(" home 1", "post u out\n"),
     THREAD(" home 1", "post u near\n"),
     "16:1 threads/w/steps/0: memory of function 'near' is of home 0, the thread is of home 1 "
     "[PRG-045]"},
    {"a table of functions", THREAD("", "call [near, near] at i\n"),
     THREAD("", "call [near, out] at i\n"),
     "16:1 threads/w/steps/0: memory of function 'out' is of home 1, the thread is of home 0 "
     "[PRG-045]"},
    {"a function that calls one", THREAD(" home 1", "call calls_out with [z f32[1]]\n"),
     THREAD("", "call calls_out with [x f32[1]]\n"),
     "16:1 threads/w/steps/0: memory of function 'calls_out' is of home 1, the thread is of home 0 "
     "[PRG-045]"},
    {"an argument", THREAD(" home 1", "call calls_out with [z f32[1] + 4]\n"),
     THREAD(" home 1", "call calls_out with [x f32[1]]\n"),
     "16:1 threads/w/steps/0: space 'm' is of home 0, the thread is of home 1 [PRG-045]"},
    {"a function of two homes", FAR "function g {\ncall out\ncall calls_out with [z f32[1]]\n}\n",
     FAR "function g {\ncall out\nmove copy from [x f32[1]] to y f32[1]\n}\n",
     "16:1 functions/g/steps/1: space 'm' is of home 0, the steps above are of home 1 [PRG-045]\n"
     "16:1 functions/g/steps/1: space 'm' is of home 0, the steps above are of home 1 [PRG-045]"},
    {"a function that is called before it is declared",
     FAR "function g {\ncall late\n}\nfunction late {\ncall out\n}\nthread w home 1 {\ncall g\n}\n",
     FAR "function g {\ncall late\n}\nfunction late {\ncall out\n}\nthread w {\ncall g\n}\n",
     "21:1 threads/w/steps/0: memory of function 'g' is of home 1, the thread is of home 0 "
     "[PRG-045]"},
    {"a thread of another home than all memory",
     "thread w home 1 {\nregister i\nalu i = set 1\n}\n",
     "thread w home 1 {\nmove copy from [x f32[1]] to y f32[1]\n}\n",
     "2:1 threads/w/steps/0: space 'm' is of home 0, the thread is of home 1 [PRG-045]\n"
     "2:1 threads/w/steps/0: space 'm' is of home 0, the thread is of home 1 [PRG-045]"},
};

HOIST_TEST_TABLE(memory_of_homes, cases)
{
    hoist_expect_verified(t, row);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(memory_of_homes))
