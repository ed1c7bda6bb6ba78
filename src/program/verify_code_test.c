// Registers, loops, branches, calls and what is written: PRG-020 to PRG-026, PRG-039.
#include "program/program_testing.h"

static const hoist_verify_case cases[] = {
    // Registers.
    {"a register of a function lives as long as the call",
     "function g {\n register r lifetime call\n}\n", "function g {\n register r lifetime run\n}\n",
     "1:1 functions/g: register 'r' outlives its code [PRG-020]"},
    {"not as long as the session", "thread w {\n register r lifetime session\n}\n",
     "function g {\n register r lifetime session\n}\n",
     "1:1 functions/g: register 'r' outlives its code [PRG-020]"},
    {"a register is no constant", "thread w {\n register r lifetime run\n}\n",
     "thread w {\n register r lifetime constant\n}\n",
     "1:1 threads/w: register 'r' outlives its code [PRG-020]"},
    // Loops.
    {"an end of a loop", HOIST_STEPS("loop 1\nend\n"), HOIST_STEPS("end\n"),
     "3:1 threads/main/steps/0: the end has no loop [PRG-021]"},
    {"a second end", HOIST_STEPS("loop 1\nloop 1\nend\nend\n"), HOIST_STEPS("loop 1\nend\nend\n"),
     "5:1 threads/main/steps/2: the end has no loop [PRG-021]"},
    {"a loop without an end", HOIST_STEPS("loop 1\nend\n"), HOIST_STEPS("loop 1\n"),
     "3:1 threads/main/steps/0: the loop has no end [PRG-021]"},
    {"two of them", HOIST_STEPS("loop 1\nloop 2\nend\nend\n"), HOIST_STEPS("loop 1\nloop 2\n"),
     "3:1 threads/main/steps/0: the loop has no end [PRG-021]\n"
     "4:1 threads/main/steps/1: the loop has no end [PRG-021]"},
    {"the outer one of two", HOIST_STEPS("loop 1\nloop 2\nend\nend\n"),
     HOIST_STEPS("loop 1\nloop 2\nend\n"),
     "3:1 threads/main/steps/0: the loop has no end [PRG-021]"},
    {"the wrong way round", HOIST_STEPS("loop 1\nend\n"), HOIST_STEPS("end\nloop 1\n"),
     "3:1 threads/main/steps/0: the end has no loop [PRG-021]\n"
     "4:1 threads/main/steps/1: the loop has no end [PRG-021]"},
    // Branches.
    {"behind the last step", HOIST_STEPS("branch i == 0 to 1\n"),
     HOIST_STEPS("branch i == 0 to 2\n"),
     "3:1 threads/main/steps/0: the branch goes to step 2, there are 1 [PRG-022]"},
    {"into a loop", HOIST_STEPS("branch i == 0 to 1\nloop 2\nend\n"),
     HOIST_STEPS("branch i == 0 to 2\nloop 2\nend\n"),
     "3:1 threads/main/steps/0: the branch to step 2 leaves or enters a loop [PRG-022]"},
    {"out of a loop", HOIST_STEPS("loop 2\nbranch i == 0 to 2\nend\n"),
     HOIST_STEPS("loop 2\nbranch i == 0 to 3\nend\n"),
     "4:1 threads/main/steps/1: the branch to step 3 leaves or enters a loop [PRG-022]"},
    {"out of a loop, to a step", HOIST_STEPS("loop 2\nbranch i == 0 to 2\nend\nalu i = set 1\n"),
     HOIST_STEPS("loop 2\nbranch i == 0 to 3\nend\nalu i = set 1\n"),
     "4:1 threads/main/steps/1: the branch to step 3 leaves or enters a loop [PRG-022]"},
    {"to its loop", HOIST_STEPS("loop 2\nbranch i == 0 to 1\nend\n"),
     HOIST_STEPS("loop 2\nbranch i == 0 to 0\nend\n"),
     "4:1 threads/main/steps/1: the branch to step 0 leaves or enters a loop [PRG-022]"},
    {"to an inner loop",
     HOIST_STEPS("loop 2\nbranch i == 0 to 2\nloop 2\nalu i = set 1\nend\nend\n"),
     HOIST_STEPS("loop 2\nbranch i == 0 to 3\nloop 2\nalu i = set 1\nend\nend\n"),
     "4:1 threads/main/steps/1: the branch to step 3 leaves or enters a loop [PRG-022]"},
    {"from one loop to the next",
     HOIST_STEPS("loop 2\nbranch i == 0 to 2\nend\nloop 2\nalu i = set 1\nend\n"),
     HOIST_STEPS("loop 2\nbranch i == 0 to 4\nend\nloop 2\nalu i = set 1\nend\n"),
     "4:1 threads/main/steps/1: the branch to step 4 leaves or enters a loop [PRG-022]"},
    // Places.
    {"threads post", HOIST_STEPS("post u f with [1, x f32[4], y f32[4]]\n"),
     "function g {\n post u f with [1, x f32[4], y f32[4]]\n}\n",
     "2:2 functions/g/steps/0: a function cannot post [PRG-023]"},
    {"threads drain", HOIST_STEPS("drain u\n"), "function g {\n drain u\n}\n",
     "2:2 functions/g/steps/0: a function cannot drain [PRG-023]"},
    {"dynamic fifos are allocated",
     "fifo d queue of f32[1] slots 1 in [x] slot_bytes 4 dynamic\n"
     "thread main {\nallocate d\n}\n",
     "fifo d queue of f32[1] slots 1 in [x] slot_bytes 4\nthread main {\n"
     "allocate d\n}\n",
     "3:1 threads/main/steps/0: fifo 'd' is not dynamic [PRG-023]"},
    {"dynamic fifos are freed",
     "fifo d queue of f32[1] slots 1 in [x] slot_bytes 4 dynamic\n"
     "thread main {\nfree d\n}\n",
     "fifo d queue of f32[1] slots 1 in [x] slot_bytes 4\nthread main {\n"
     "free d\n}\n",
     "3:1 threads/main/steps/0: fifo 'd' is not dynamic [PRG-023]"},
    {"incwrap of a number", HOIST_STEPS("alu i = incwrap 1 1\n"),
     HOIST_STEPS("alu i = incwrap 1 0\n"), "3:1 threads/main/steps/0: incwrap by 0 [PRG-039]"},
    {"others may have a 0, and incwrap a register",
     HOIST_STEPS("alu i = add 1 0\nalu i = incwrap 1 i\n"),
     HOIST_STEPS("alu i = add 1 0\nalu i = incwrap i 0\n"),
     "4:1 threads/main/steps/1: incwrap by 0 [PRG-039]"},
    // Arguments.
    {"as many as parameters", HOIST_STEPS("call f with [1, x f32[4], y f32[4]]\n"),
     HOIST_STEPS("call f with [1, x f32[4]]\n"),
     "3:1 threads/main/steps/0: 2 arguments for 'f', which has 3 parameters [PRG-024]"},
    {"not more than parameters", HOIST_STEPS("call f with [1, x f32[4], y f32[4]]\n"),
     HOIST_STEPS("call f with [1, x f32[4], y f32[4], 1]\n"),
     "3:1 threads/main/steps/0: 4 arguments for 'f', which has 3 parameters [PRG-024]"},
    {"a number for a view", HOIST_STEPS("call f with [1, x f32[4], y f32[4]]\n"),
     HOIST_STEPS("call f with [1, x f32[4], 3]\n"),
     "3:1 threads/main/steps/0: parameter 'b' of 'f' is a view [PRG-024]"},
    {"a view for a number", HOIST_STEPS("call f with [i, x f32[4], y f32[4]]\n"),
     HOIST_STEPS("call f with [x f32[4], x f32[4], y f32[4]]\n"),
     "3:1 threads/main/steps/0: parameter 'n' of 'f' is a number [PRG-024]"},
    {"another element type", HOIST_STEPS("call f with [1, x f32[4] + 16, y f32[4]]\n"),
     HOIST_STEPS("call f with [1, x i32[4] + 16, y f32[4]]\n"),
     "3:1 threads/main/steps/0: the view for parameter 'a' of 'f' has elements of type "
     "i32, expected f32 [PRG-024]"},
    {"another shape", HOIST_STEPS("call f with [1, x f32[4], y f32[4] + 4]\n"),
     HOIST_STEPS("call f with [1, x f32[4], y f32[2, 2] + 4]\n"),
     "3:1 threads/main/steps/0: the view for parameter 'b' of 'f' has another layout "
     "[PRG-024]"},
    {"other strides", HOIST_STEPS("call f with [1, x f32[4] by [4], y f32[4]]\n"),
     HOIST_STEPS("call f with [1, x f32[4] by [8], y f32[4]]\n"),
     "3:1 threads/main/steps/0: the view for parameter 'a' of 'f' has another layout "
     "[PRG-024]"},
    {"of a post", HOIST_STEPS("post u f with [1, x f32[4], y f32[4]]\n"),
     HOIST_STEPS("post u f with [1]\n"),
     "3:1 threads/main/steps/0: 1 arguments for 'f', which has 3 parameters [PRG-024]"},
    {"of every function of a table",
     HOIST_STEPS("call [g, g] at i with [1]\n") "function g {\n parameter n\n}\nfunction h {\n}\n",
     HOIST_STEPS("call [g, h] at i with [1]\n") "function g {\n parameter n\n}\nfunction h {\n}\n",
     "3:1 threads/main/steps/0: 1 arguments for 'h', which has 0 parameters [PRG-024]"},
    {"of the first one, too",
     HOIST_STEPS("call [g, g] at i with [1]\n") "function g {\n parameter n\n}\nfunction h {\n}\n",
     HOIST_STEPS("call [h, g] at i with [1]\n") "function g {\n parameter n\n}\nfunction h {\n}\n",
     "3:1 threads/main/steps/0: 1 arguments for 'h', which has 0 parameters [PRG-024]"},
    {"a table of none", HOIST_STEPS("call [g] at i\n") "function g {\n}\n",
     HOIST_STEPS("call [] at i\n") "function g {\n}\n",
     "3:1 threads/main/steps/0: the table has 0 functions, expected 1 to 4096 [PRG-024]"},
    // Cycles.
    {"a function that calls itself", "function g {\n call h\n}\nfunction h {\n}\n",
     "function g {\n call g\n}\n",
     "2:2 functions/g/steps/0: the call of 'g' comes back to it [PRG-025]"},
    {"two that call each other", "function g {\n call h\n}\nfunction h {\n}\n",
     "function g {\n call h\n}\nfunction h {\n call g\n}\n",
     "5:2 functions/h/steps/0: the call of 'g' comes back to it [PRG-025]"},
    {"three of them, by a table",
     "function g {\n call h\n}\nfunction h {\n call k\n}\nfunction k {\n}\n",
     "function g {\n call h\n}\nfunction h {\n call k\n}\nfunction k {\n"
     " register r\n call [g] at r\n}\n",
     "9:2 functions/k/steps/0: the call of 'g' comes back to it [PRG-025]"},
    {"two calls of one function are no cycle",
     "function g {\n call h\n call h\n call k\n}\nfunction h {\n call k\n}\n"
     "function k {\n}\n",
     "function g {\n call h\n call h\n call k\n}\nfunction h {\n call k\n}\n"
     "function k {\n call h\n}\n",
     "10:2 functions/k/steps/0: the call of 'h' comes back to it [PRG-025]"},
    // What is written.
    {"a constant is the destination", HOIST_STEPS("move copy from [c f32[4]] to x f32[4]\n"),
     HOIST_STEPS("move copy from [x f32[4]] to c f32[4]\n"),
     "3:1 threads/main/steps/0: the step writes a constant [PRG-026]"},
    {"a constant is an output", HOIST_STEPS("compute ieee.relu from [c f32[4]] to [x f32[4]]\n"),
     HOIST_STEPS("compute ieee.relu from [x f32[4]] to [c f32[4]]\n"),
     "3:1 threads/main/steps/0: the step writes a constant [PRG-026]"},
    {"a constant receives",
     HOIST_STEPS("collective broadcast group 0 members 1 rank 0 from c f32[4] to x f32[4]\n"),
     HOIST_STEPS("collective broadcast group 0 members 1 rank 0 from x f32[4] to c f32[4]\n"),
     "3:1 threads/main/steps/0: the step writes a constant [PRG-026]"},
    {"a constant is written by a record",
     HOIST_STEPS("opaque k reads [c f32[4]] writes [x f32[4]]\n"),
     HOIST_STEPS("opaque k reads [x f32[4]] writes [c f32[4]]\n"),
     "3:1 threads/main/steps/0: the step writes a constant [PRG-026]"},
    {"a constant is written by a call", HOIST_STEPS("call f with [1, c f32[4], y f32[4]]\n"),
     HOIST_STEPS("call f with [1, c f32[4], c f32[4]]\n"),
     "3:1 threads/main/steps/0: the step writes a constant [PRG-026]"},
    {"a constant is written through a window",
     "buffer w in m size 16 window x lifetime session\nthread main {\n"
     "move copy from [y f32[4]] to w f32[4] + 0\n}\n",
     "buffer w in m size 16 window c lifetime session\nthread main {\n"
     "move copy from [y f32[4]] to w f32[4] + 0\n}\n",
     "3:1 threads/main/steps/0: the step writes a constant [PRG-026]"},
    {"a window is a constant",
     "buffer w in m size 16 window x lifetime session\nthread main {\n"
     "move copy from [y f32[4]] to w f32[4]\n}\n",
     "buffer w in m size 16 window x lifetime constant\nthread main {\n"
     "move copy from [y f32[4]] to w f32[4]\n}\n",
     "3:1 threads/main/steps/0: the step writes a constant [PRG-026]"},
    {"a slot in a constant",
     "fifo r ram of f32[4] slots 1 in [x] slot_bytes 16\nthread main {\n"
     "move copy from [y f32[4]] to write(r) f32[4]\n}\n",
     "fifo r ram of f32[4] slots 1 in [c] slot_bytes 16\nthread main {\n"
     "move copy from [y f32[4]] to write(r) f32[4]\n}\n",
     "3:1 threads/main/steps/0: the step writes a constant [PRG-026]"},
    {"a parameter that is marked",
     "function g {\n parameter a view f32[4] written\n"
     " move copy from [x f32[4]] to param(a) f32[4]\n}\n",
     "function g {\n parameter a view f32[4]\n"
     " move copy from [x f32[4]] to param(a) f32[4]\n}\n",
     "3:2 functions/g/steps/0: the step writes parameter 'a', which is not marked as "
     "written [PRG-026]"},
    {"a parameter that another function writes",
     "function g {\n parameter a view f32[4] written\n"
     " call f with [1, x f32[4], param(a) f32[4]]\n}\n",
     "function g {\n parameter a view f32[4]\n"
     " call f with [1, x f32[4], param(a) f32[4]]\n}\n",
     "3:2 functions/g/steps/0: the step writes parameter 'a', which is not marked as "
     "written [PRG-026]"},
};

HOIST_TEST_TABLE(each_clause_has_its_finding, cases)
{
    hoist_expect_verified(t, row);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(each_clause_has_its_finding))
