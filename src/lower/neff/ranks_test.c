// Which ranks a NEFF has, and who meets whom in its collectives and barriers (neff reference
// section 5.2).
#include <string.h>

#include "lower/neff/job_testing.h"
#include "lower/program_text_testing.h"

#define PORTS                                                                                      \
    "\"input\": {\"type\": \"input\", \"var_id\": 0, \"size\": 64}, "                              \
    "\"output\": {\"type\": \"output\", \"var_id\": 1, \"size\": 64}"
// Of 4 float32, from variable 0 to 1.
#define REDUCE(op, group)                                                                          \
    "c8 10 00 00 00 00 00 00 00 00 00 00 " op " 0a " group " 00 00 00 00 00 01 00 00 00 04 00 00 " \
    "00 00 00 00 00 01\n"
#define ADD REDUCE("04", "00")
#define ADD_1 REDUCE("04", "01")
#define CORE_BARRIER(id) "d8 10 00 00 00 00 00 00 00 00 00 00 " id "\n"
#define NOP "a4 10\n"
#define EXIT "df 10 00 00 00 00 00 00 00 00 00 00 01\n"
#define ROW(name, group_text, rank_count, code, expected)                                          \
    {                                                                                              \
        (name), {.vars = PORTS, .groups = (group_text), .records = (code)},                        \
            .ranks = (rank_count),                                                                 \
            .heads = "thread sp|thread rank0/sp|thread rank1/sp|thread rank2/sp|thread rank3/sp",  \
            .text = (expected)                                                                     \
    }

// clang-format off
static const neff_job_case cases[] = {
    ROW("a group of one copies", "[[]]", 0, ADD, "thread sp {\n"
     "ALL_REDUCE: move copy from [input f32[4]] to output f32[4]\n"
     "}\n"),
    ROW("no name is all ranks", "[[]]", 3, ADD, "thread rank0/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 3 rank 0 from rank0/input f32[4] to rank0/output f32[4]\n"
     "}\n"
     "thread rank1/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 3 rank 1 from rank1/input f32[4] to rank1/output f32[4]\n"
     "}\n"
     "thread rank2/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 3 rank 2 from rank2/input f32[4] to rank2/output f32[4]\n"
     "}\n"),
    ROW("products", "[[]]", 2, REDUCE("06", "00"), "thread rank0/sp {\n"
     "ALL_REDUCE: collective all_reduce mul group 0 members 2 rank 0 from rank0/input f32[4] to rank0/output f32[4]\n"
     "}\n"
     "thread rank1/sp {\n"
     "ALL_REDUCE: collective all_reduce mul group 0 members 2 rank 1 from rank1/input f32[4] to rank1/output f32[4]\n"
     "}\n"),
    ROW("the greatest", "[[]]", 2, REDUCE("08", "00"), "thread rank0/sp {\n"
     "ALL_REDUCE: collective all_reduce max group 0 members 2 rank 0 from rank0/input f32[4] to rank0/output f32[4]\n"
     "}\n"
     "thread rank1/sp {\n"
     "ALL_REDUCE: collective all_reduce max group 0 members 2 rank 1 from rank1/input f32[4] to rank1/output f32[4]\n"
     "}\n"),
    ROW("the least", "[[]]", 2, REDUCE("09", "00"), "thread rank0/sp {\n"
     "ALL_REDUCE: collective all_reduce min group 0 members 2 rank 0 from rank0/input f32[4] to rank0/output f32[4]\n"
     "}\n"
     "thread rank1/sp {\n"
     "ALL_REDUCE: collective all_reduce min group 0 members 2 rank 1 from rank1/input f32[4] to rank1/output f32[4]\n"
     "}\n"),
    ROW("ranks meet in their order, whatever the list's", "[[2, 0, 1]]", 3, ADD, "thread rank0/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 3 rank 0 from rank0/input f32[4] to rank0/output f32[4]\n"
     "}\n"
     "thread rank1/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 3 rank 1 from rank1/input f32[4] to rank1/output f32[4]\n"
     "}\n"
     "thread rank2/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 3 rank 2 from rank2/input f32[4] to rank2/output f32[4]\n"
     "}\n"),
    ROW("each group_id has its list", "[[0, 1, 2, 3], [1, 3]]", 4, ADD, "thread rank0/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 4 rank 0 from rank0/input f32[4] to rank0/output f32[4]\n"
     "}\n"
     "thread rank1/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 4 rank 1 from rank1/input f32[4] to rank1/output f32[4]\n"
     "}\n"
     "thread rank2/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 4 rank 2 from rank2/input f32[4] to rank2/output f32[4]\n"
     "}\n"
     "thread rank3/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 4 rank 3 from rank3/input f32[4] to rank3/output f32[4]\n"
     "}\n"),
    ROW("a rank that is not in the list uses its own", "[[0, 1], [2, 3]]", 4, ADD, "thread rank0/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 2 rank 0 from rank0/input f32[4] to rank0/output f32[4]\n"
     "}\n"
     "thread rank1/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 2 rank 1 from rank1/input f32[4] to rank1/output f32[4]\n"
     "}\n"
     "thread rank2/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 1 members 2 rank 0 from rank2/input f32[4] to rank2/output f32[4]\n"
     "}\n"
     "thread rank3/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 1 members 2 rank 1 from rank3/input f32[4] to rank3/output f32[4]\n"
     "}\n"),
    ROW("whichever group_id is asked for", "[[0, 1], [2, 3]]", 4, ADD_1, "thread rank0/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 2 rank 0 from rank0/input f32[4] to rank0/output f32[4]\n"
     "}\n"
     "thread rank1/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 2 rank 1 from rank1/input f32[4] to rank1/output f32[4]\n"
     "}\n"
     "thread rank2/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 1 members 2 rank 0 from rank2/input f32[4] to rank2/output f32[4]\n"
     "}\n"
     "thread rank3/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 1 members 2 rank 1 from rank3/input f32[4] to rank3/output f32[4]\n"
     "}\n"),
    ROW("lists of lists have one for each", "[[[0, 2], [1, 3]]]", 4, ADD, "thread rank0/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 2 rank 0 from rank0/input f32[4] to rank0/output f32[4]\n"
     "}\n"
     "thread rank1/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 1 members 2 rank 0 from rank1/input f32[4] to rank1/output f32[4]\n"
     "}\n"
     "thread rank2/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 2 rank 1 from rank2/input f32[4] to rank2/output f32[4]\n"
     "}\n"
     "thread rank3/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 1 members 2 rank 1 from rank3/input f32[4] to rank3/output f32[4]\n"
     "}\n"),
    ROW("two of them", "[[[0, 2], [1, 3]], [[0, 1], [2, 3]]]", 4, ADD ADD_1, "thread rank0/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 2 rank 0 from rank0/input f32[4] to rank0/output f32[4]\n"
     "ALL_REDUCE: collective all_reduce add group 1 members 2 rank 0 from rank0/input f32[4] to rank0/output f32[4]\n"
     "}\n"
     "thread rank1/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 2 members 2 rank 0 from rank1/input f32[4] to rank1/output f32[4]\n"
     "ALL_REDUCE: collective all_reduce add group 1 members 2 rank 1 from rank1/input f32[4] to rank1/output f32[4]\n"
     "}\n"
     "thread rank2/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 2 rank 1 from rank2/input f32[4] to rank2/output f32[4]\n"
     "ALL_REDUCE: collective all_reduce add group 3 members 2 rank 0 from rank2/input f32[4] to rank2/output f32[4]\n"
     "}\n"
     "thread rank3/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 2 members 2 rank 1 from rank3/input f32[4] to rank3/output f32[4]\n"
     "ALL_REDUCE: collective all_reduce add group 3 members 2 rank 1 from rank3/input f32[4] to rank3/output f32[4]\n"
     "}\n"),
    ROW("as many ranks as the groups name", "[[0, 1, 2]]", 0, ADD, "thread rank0/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 3 rank 0 from rank0/input f32[4] to rank0/output f32[4]\n"
     "}\n"
     "thread rank1/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 3 rank 1 from rank1/input f32[4] to rank1/output f32[4]\n"
     "}\n"
     "thread rank2/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 3 rank 2 from rank2/input f32[4] to rank2/output f32[4]\n"
     "}\n"),
    ROW("deep down, too", "[[[0, 2], [1, 3]]]", 0, ADD, "thread rank0/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 2 rank 0 from rank0/input f32[4] to rank0/output f32[4]\n"
     "}\n"
     "thread rank1/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 1 members 2 rank 0 from rank1/input f32[4] to rank1/output f32[4]\n"
     "}\n"
     "thread rank2/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 2 rank 1 from rank2/input f32[4] to rank2/output f32[4]\n"
     "}\n"
     "thread rank3/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 1 members 2 rank 1 from rank3/input f32[4] to rank3/output f32[4]\n"
     "}\n"),
    ROW("one that is alone in its group", "[[0, 1], [2]]", 3, ADD, "thread rank0/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 2 rank 0 from rank0/input f32[4] to rank0/output f32[4]\n"
     "}\n"
     "thread rank1/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 2 rank 1 from rank1/input f32[4] to rank1/output f32[4]\n"
     "}\n"
     "thread rank2/sp {\n"
     "ALL_REDUCE: move copy from [rank2/input f32[4]] to rank2/output f32[4]\n"
     "}\n"),
    ROW("the same members meet twice under one number", "[[0, 1], [0, 1]]", 2, ADD ADD_1, "thread rank0/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 2 rank 0 from rank0/input f32[4] to rank0/output f32[4]\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 2 rank 0 from rank0/input f32[4] to rank0/output f32[4]\n"
     "}\n"
     "thread rank1/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 2 rank 1 from rank1/input f32[4] to rank1/output f32[4]\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 2 rank 1 from rank1/input f32[4] to rank1/output f32[4]\n"
     "}\n"),
    ROW("as many as the file's world has", "[[]],\n\"#rank_world_size\": 2", 0, ADD, "thread rank0/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 2 rank 0 from rank0/input f32[4] to rank0/output f32[4]\n"
     "}\n"
     "thread rank1/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 2 rank 1 from rank1/input f32[4] to rank1/output f32[4]\n"
     "}\n"),
    ROW("a world smaller than its groups", "[[0, 1, 2]],\n\"#rank_world_size\": 2", 0, ADD, "thread rank0/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 3 rank 0 from rank0/input f32[4] to rank0/output f32[4]\n"
     "}\n"
     "thread rank1/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 3 rank 1 from rank1/input f32[4] to rank1/output f32[4]\n"
     "}\n"
     "thread rank2/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 3 rank 2 from rank2/input f32[4] to rank2/output f32[4]\n"
     "}\n"),
    ROW("a world larger than its groups", "[[0, 1], [2]],\n\"#rank_world_size\": 3", 0, ADD, "thread rank0/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 2 rank 0 from rank0/input f32[4] to rank0/output f32[4]\n"
     "}\n"
     "thread rank1/sp {\n"
     "ALL_REDUCE: collective all_reduce add group 0 members 2 rank 1 from rank1/input f32[4] to rank1/output f32[4]\n"
     "}\n"
     "thread rank2/sp {\n"
     "ALL_REDUCE: move copy from [rank2/input f32[4]] to rank2/output f32[4]\n"
     "}\n"),
};
// clang-format on

HOIST_TEST_TABLE(ranks_meet_in_groups, cases)
{
    neff_job_expect(t, row);
}

// Groups that do not say whom a rank meets.
// clang-format off
static const struct {
    const char *name;
    const char *groups;
    uint32_t ranks;
    const char *records;
    const char *rule;
    const char *says;
} unclear[] = {
    {"a rank in no group", "[[0, 1]]", 3, ADD, "NEFF-071a", "rank 2 is in no group for group_id 0"},
    {"a group_id beyond the list", "[[0, 1]]", 2, ADD_1, "NEFF-071a", "rank 0 is in no group for group_id 1"},
    {"a rank in two other groups", "[[0], [1, 2], [1]]", 3, ADD, "NEFF-071a", "rank 1 is in no group for group_id 0"},
    {"a rank that is not there", "[[0, 2]]", 2, ADD, "RUN-023", "the group names rank 2, expected 0 to 1: there are 2 ranks"},
    {"a rank below 0", "[[0, -1]]", 1, ADD, "RUN-023", "the group names rank -1, expected 0 to 0: there is 1 rank"},
    {"a rank twice", "[[1, 0, 1]]", 2, ADD, "NEFF-071a", "group 0 names rank 1 twice"},
    {"no list", "[7]", 1, ADD, "NEFF-071a", "rank 0 is in no group for group_id 0"},
    {"no lists at all", "7", 1, ADD, "NEFF-071a", "rank 0 is in no group for group_id 0"},
    {"more ranks than can be", "[[]]", HOIST_MAX_RANKS + 1, ADD, "RUN-023", "ranks, expected at most"},
    {"a name of a rank that no file can have", "[[9223372036854775807]]", 0, ADD, "RUN-023", "9223372036854775807 ranks"},
};
// clang-format on

HOIST_TEST_TABLE(groups_name_ranks_once, unclear)
{
    const hoist_lower_options options = {.struct_size = sizeof options, .ranks = row->ranks};
    const neff_job_parts parts = {.vars = PORTS, .groups = row->groups, .records = row->records};
    hoist_program *program = NULL;
    neff_texts neff;
    neff_job_texts(t, &parts, &neff);
    HOIST_EXPECT(t, neff_job_lower(t, &neff, 1, &options, &program) != HOIST_OK);
    HOIST_EXPECT_RULE(t, row->rule);
    HOIST_EXPECT(t, hoist_diag_kept(t->diag) > 0 &&
                        hoist_str_contains(hoist_diag_at(t->diag, 0)->message, row->says));
    HOIST_EXPECT(t, program == NULL);
}

// Files ------------------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    size_t files;
    uint32_t asked;    // 0: as files say
    const char *heads; // of the threads that there are; NULL: refused
    const char *says;
} worlds[] = {
    {"one file",             1, 0, "thread sp {\n}\n", NULL},
    {"one rank of it",       1, 1, "thread sp {\n}\n", NULL},
    {"two ranks of it",      1, 2, "thread rank0/sp {\n}\nthread rank1/sp {\n}\n", NULL},
    {"a file for each rank", 2, 0, "thread rank0/sp {\n}\nthread rank1/sp {\n}\n", NULL},
    {"as many as asked for", 2, 2, "thread rank0/sp {\n}\nthread rank1/sp {\n}\n", NULL},
    {"one file too many",    2, 1, NULL, "1 rank is asked for, there are 2 files"},
    {"one file too few",     2, 3, NULL, "3 ranks are asked for, there are 2 files"},
    {"three of two",         3, 2, NULL, "2 ranks are asked for, there are 3 files"},
};
// clang-format on

HOIST_TEST_TABLE(each_rank_has_a_file_or_all_have_one, worlds)
{
    const hoist_lower_options options = {.struct_size = sizeof options, .ranks = row->asked};
    const neff_job_parts parts = {.vars = PORTS, .records = NOP};
    hoist_program *program = NULL;
    neff_texts neff[4];
    for (size_t i = 0; i < row->files; i++) {
        neff_job_texts(t, &parts, &neff[i]);
    }
    const hoist_status status = neff_job_lower(t, neff, row->files, &options, &program);
    HOIST_EXPECT_EQ(t, status, row->heads ? HOIST_OK : HOIST_UNSUPPORTED);
    HOIST_EXPECT_RULE(t, row->heads ? NULL : "RUN-023");
    if (row->heads) {
        lower_test_expect_piece(
            t, program, "thread sp|thread rank0/sp|thread rank1/sp|thread rank2", row->heads);
    } else {
        HOIST_EXPECT(t, hoist_str_contains(hoist_test_findings(t), row->says));
    }
    hoist_program_destroy(program);
}

// Barriers ---------------------------------------------------------------------------------------

#define SYNC "d5 10\n"

// clang-format off
static const neff_job_case barriers[] = {
    {"engines that do something meet", {.records = SYNC SYNC EXIT, .pe = SYNC SYNC EXIT, .act = EXIT},
     .heads = "thread pe|thread act|thread sp", .text = "thread pe {\n"
     "BARRIER: collective barrier group 0 members 2 rank 0\n"
     "BARRIER: collective barrier group 0 members 2 rank 0\n"
     "}\n"
     "thread act {\n"
     "}\n"
     "thread sp {\n"
     "BARRIER: collective barrier group 0 members 2 rank 1\n"
     "BARRIER: collective barrier group 0 members 2 rank 1\n"
     "}\n"},
    {"three of them", {.records = SYNC, .pe = SYNC EXIT, .act = NOP SYNC EXIT},
     .heads = "thread pe|thread act|thread sp", .text = "thread pe {\n"
     "BARRIER: collective barrier group 0 members 3 rank 0\n"
     "}\n"
     "thread act {\n"
     "BARRIER: collective barrier group 0 members 3 rank 1\n"
     "}\n"
     "thread sp {\n"
     "BARRIER: collective barrier group 0 members 3 rank 2\n"
     "}\n"},
    {"one that is alone waits for nobody", {.records = NOP SYNC EXIT},
     .heads = "thread sp", .text = "thread sp {\n"
     "}\n"},
    {"of ranks each for itself", {.records = SYNC EXIT, .pe = SYNC EXIT}, .ranks = 2,
     .heads = "thread rank0/pe|thread rank0/sp|thread rank1/pe|thread rank1/sp", .text = "thread rank0/pe {\n"
     "BARRIER: collective barrier group 0 members 2 rank 0\n"
     "}\n"
     "thread rank0/sp {\n"
     "BARRIER: collective barrier group 0 members 2 rank 1\n"
     "}\n"
     "thread rank1/pe {\n"
     "BARRIER: collective barrier group 1 members 2 rank 0\n"
     "}\n"
     "thread rank1/sp {\n"
     "BARRIER: collective barrier group 1 members 2 rank 1\n"
     "}\n"},
    {"cores meet under the barrier's id", {.records = CORE_BARRIER("05") CORE_BARRIER("06 01") CORE_BARRIER("05") EXIT}, .cores = 2, .lnc = 2,
     .heads = "thread sg00/sp|thread sg01/sp", .text = "thread sg00/sp {\n"
     "BARRIER: collective barrier group 0 members 2 rank 0\n"
     "BARRIER: collective barrier group 1 members 2 rank 0\n"
     "BARRIER: collective barrier group 0 members 2 rank 0\n"
     "}\n"
     "thread sg01/sp {\n"
     "BARRIER: collective barrier group 0 members 2 rank 1\n"
     "BARRIER: collective barrier group 1 members 2 rank 1\n"
     "BARRIER: collective barrier group 0 members 2 rank 1\n"
     "}\n"},
    {"cores that are not together do not", {.records = CORE_BARRIER("05") EXIT}, .cores = 2, .lnc = 1,
     .heads = "thread sg00/sp|thread sg01/sp", .text = "thread sg00/sp {\n"
     "}\n"
     "thread sg01/sp {\n"
     "}\n"},
    {"cores of four, two by two", {.records = CORE_BARRIER("05") EXIT}, .cores = 4, .lnc = 2,
     .heads = "thread sg00/sp|thread sg01/sp|thread sg02/sp|thread sg03/sp", .text = "thread sg00/sp {\n"
     "BARRIER: collective barrier group 0 members 2 rank 0\n"
     "}\n"
     "thread sg01/sp {\n"
     "BARRIER: collective barrier group 0 members 2 rank 1\n"
     "}\n"
     "thread sg02/sp {\n"
     "BARRIER: collective barrier group 1 members 2 rank 0\n"
     "}\n"
     "thread sg03/sp {\n"
     "BARRIER: collective barrier group 1 members 2 rank 1\n"
     "}\n"},
    {"the last of three is alone", {.records = CORE_BARRIER("05") EXIT}, .cores = 3, .lnc = 2,
     .heads = "thread sg00/sp|thread sg01/sp|thread sg02/sp", .text = "thread sg00/sp {\n"
     "BARRIER: collective barrier group 0 members 2 rank 0\n"
     "}\n"
     "thread sg01/sp {\n"
     "BARRIER: collective barrier group 0 members 2 rank 1\n"
     "}\n"
     "thread sg02/sp {\n"
     "}\n"},
    {"cores of ranks", {.records = CORE_BARRIER("ff ff ff ff") EXIT}, .ranks = 2, .cores = 2, .lnc = 2,
     .heads = "thread rank0/sg00/sp|thread rank0/sg01/sp|thread rank1/sg00/sp|thread rank1/sg01/sp", .text = "thread rank0/sg00/sp {\n"
     "BARRIER: collective barrier group 0 members 2 rank 0\n"
     "}\n"
     "thread rank0/sg01/sp {\n"
     "BARRIER: collective barrier group 0 members 2 rank 1\n"
     "}\n"
     "thread rank1/sg00/sp {\n"
     "BARRIER: collective barrier group 1 members 2 rank 0\n"
     "}\n"
     "thread rank1/sg01/sp {\n"
     "BARRIER: collective barrier group 1 members 2 rank 1\n"
     "}\n"},
};
// clang-format on

HOIST_TEST_TABLE(barriers_are_of_those_that_come, barriers)
{
    neff_job_expect(t, row);
}

// Engines of a core come to as many barriers, else the first one too many has the finding.
static const struct {
    const char *name;
    const char *pe, *act, *sp;
    const char *object; // of the finding; NULL: none
    const char *says;
} lonely[] = {
    {"as many", SYNC EXIT, SYNC EXIT, SYNC EXIT, NULL, NULL},
    {"one that only ends does not count", EXIT, SYNC EXIT, SYNC EXIT, NULL, NULL},
    {"one too many", SYNC NOP SYNC EXIT, SYNC EXIT, SYNC EXIT, "record 2",
     "engine 'pe' waits here for ever: it comes to 2 barriers of engines, 'act', which has "
     "instructions, to 1"},
    {"one where another has none", NOP EXIT, NOP SYNC EXIT, SYNC EXIT, "record 1",
     "engine 'act' waits here for ever: it comes to 1 barrier of engines, 'pe', which has "
     "instructions, to 0"},
    {"the last one has the fewest", SYNC SYNC EXIT, SYNC SYNC EXIT, SYNC EXIT, "record 1",
     "engine 'pe' waits here for ever: it comes to 2 barriers of engines, 'sp', which has "
     "instructions, to 1"},
};

HOIST_TEST_TABLE(engines_come_to_as_many_barriers, lonely)
{
    const neff_job_parts parts = {.pe = row->pe, .act = row->act, .records = row->sp};
    hoist_program *program = NULL;
    neff_texts neff;
    neff_job_texts(t, &parts, &neff);
    HOIST_EXPECT_EQ(t, neff_job_lower(t, &neff, 1, NULL, &program),
                    row->object ? HOIST_INVALID : HOIST_OK);
    HOIST_EXPECT_RULE(t, row->object ? "NEFF-072a" : NULL);
    if (row->object && hoist_diag_kept(t->diag) > 0) {
        HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->object, row->object);
        HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->message, row->says);
    }
    hoist_program_destroy(program);
}

// Ranks of one file each: those that meet do the same, collective by collective.
#define REDUCE_OF(op, dtype, count)                                                                \
    "c8 10 00 00 00 00 00 00 00 00 00 00 " op " " dtype " 00 00 00 00 00 00 01 00 00 00 " count    \
    " 00 "                                                                                         \
    "00 00 00 00 00 00 01\n"
#define OF_4 REDUCE_OF("04", "0a", "04")
#define OF_8 REDUCE_OF("04", "0a", "08")

// clang-format off
static const struct {
    const char *name;
    const char *records[3]; // of each rank; NULL: there are two
    const char *findings[3]; // in order, their messages
} met[] = {
    {"the same", {OF_4, OF_4, OF_4}, {NULL}},
    {"other counts", {OF_4, OF_8},
     {"rank 1 meets rank 0 with ALL_REDUCE by ADD of 8 elements of fp32, expected what that has at a.neff!sg00/sp.bin:+0x0: ALL_REDUCE by ADD of 4 elements of fp32"}},
    {"one element", {OF_4, REDUCE_OF("04", "0a", "01")},
     {"rank 1 meets rank 0 with ALL_REDUCE by ADD of 1 element of fp32, expected what that has at a.neff!sg00/sp.bin:+0x0: ALL_REDUCE by ADD of 4 elements of fp32"}},
    {"other operations", {OF_4, REDUCE_OF("06", "0a", "04")},
     {"rank 1 meets rank 0 with ALL_REDUCE by MULT of 4 elements of fp32, expected what that has at a.neff!sg00/sp.bin:+0x0: ALL_REDUCE by ADD of 4 elements of fp32"}},
    {"other types", {OF_4, REDUCE_OF("04", "06", "04")},
     {"rank 1 meets rank 0 with ALL_REDUCE by ADD of 4 elements of bf16, expected what that has at a.neff!sg00/sp.bin:+0x0: ALL_REDUCE by ADD of 4 elements of fp32"}},
    {"the third of three", {OF_4, OF_4, OF_8},
     {"rank 2 meets rank 0 with ALL_REDUCE by ADD of 8 elements of fp32, expected what that has at a.neff!sg00/sp.bin:+0x0: ALL_REDUCE by ADD of 4 elements of fp32"}},
    {"the first of three", {OF_8, OF_4, OF_4},
     {"rank 1 meets rank 0 with ALL_REDUCE by ADD of 4 elements of fp32, expected what that has at a.neff!sg00/sp.bin:+0x0: ALL_REDUCE by ADD of 8 elements of fp32",
      "rank 2 meets rank 0 with ALL_REDUCE by ADD of 4 elements of fp32, expected what that has at a.neff!sg00/sp.bin:+0x0: ALL_REDUCE by ADD of 8 elements of fp32"}},
    {"the second collective", {OF_4 OF_8, OF_4 OF_4},
     {"rank 1 meets rank 0 with ALL_REDUCE by ADD of 4 elements of fp32, expected what that has at a.neff!sg00/sp.bin:+0x40: ALL_REDUCE by ADD of 8 elements of fp32"}},
    {"each with its own", {OF_4 OF_8, OF_4 OF_8}, {NULL}},
    {"two that are exchanged", {OF_4 OF_8, OF_8 OF_4},
     {"rank 1 meets rank 0 with ALL_REDUCE by ADD of 8 elements of fp32, expected what that has at a.neff!sg00/sp.bin:+0x0: ALL_REDUCE by ADD of 4 elements of fp32",
      "rank 1 meets rank 0 with ALL_REDUCE by ADD of 4 elements of fp32, expected what that has at a.neff!sg00/sp.bin:+0x40: ALL_REDUCE by ADD of 8 elements of fp32"}},
    {"one that comes more often meets no one then", {OF_4 OF_8, OF_4}, {NULL}},
};
// clang-format on

HOIST_TEST_TABLE(ranks_that_meet_do_the_same, met)
{
    hoist_program *program = NULL;
    neff_texts neff[3];
    size_t files = 0;
    size_t findings = 0;
    for (; files < 3 && row->records[files]; files++) {
        const neff_job_parts parts = {
            .vars = PORTS, .groups = "[[]]", .records = row->records[files]};
        neff_job_texts(t, &parts, &neff[files]);
    }
    while (findings < 3 && row->findings[findings]) {
        findings++;
    }
    HOIST_EXPECT_EQ(t, neff_job_lower(t, neff, files, NULL, &program),
                    findings ? HOIST_INVALID : HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), findings);
    for (size_t i = 0; i < findings && i < hoist_diag_kept(t->diag); i++) {
        const hoist_finding *f = hoist_diag_at(t->diag, i);
        HOIST_EXPECT_STR(t, f->message, row->findings[i]);
        HOIST_EXPECT_STR(t, f->member, "sg00/sp.bin");
        HOIST_EXPECT(t, strcmp(f->rule->id, "NEFF-071d") == 0);
    }
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(ranks_meet_in_groups), HOIST_TEST_ROW(groups_name_ranks_once),
                HOIST_TEST_ROW(each_rank_has_a_file_or_all_have_one),
                HOIST_TEST_ROW(barriers_are_of_those_that_come),
                HOIST_TEST_ROW(engines_come_to_as_many_barriers),
                HOIST_TEST_ROW(ranks_that_meet_do_the_same))
