// What checking a NEFF says of the orders in which it may run (rules 72 and 75), on whole files,
// and two cores that share inputs and outputs.
#include <string.h>

#include "hoist/load.h"
#include "hoist/runtime.h"

#include "base/diag.h"
#include "base/span.h"
#include "formats/neff/container_testing.h"
#include "lower/neff/job_testing.h"
#include "lower/neff/lower.h"
#include "machine/order_testing.h"

#define TRIGGER "c1 10 00 00 00 00 00 00 00 00 00 00 'q0'\n"
#define WAIT(mode, count) "a0 10 00 00 " mode " 01 00 00 " count " 00 00 00\n"
#define SET_EVENT(n) "a0 10 00 00 00 00 11 " n "\n"
#define CLEAR_EVENT(n) "a0 10 00 00 00 00 12 " n "\n"
#define AWAIT_EVENT(n) "a0 10 00 00 06 " n "\n"
#define TAKE_EVENT(n) "a0 10 00 00 07 " n "\n"
#define AWAIT_NO_EVENT(n) "a0 10 00 00 0e " n "\n"
#define CHANGE(mode, value) "a0 10 00 00 00 00 " mode " 01 " value " 00 00 00\n"
#define SUBTRACT "17"
#define STORE "19"
#define PIECE(from, to)                                                                            \
    "{\"id\": 0, \"queue\": \"q0\", \"desc\": [{\"from\": \"" from                                 \
    "\", \"from_off\": 0, \"from_sizes\": [64], \"from_steps\": [1], \"to\": \"" to                \
    "\", \"to_off\": 0, \"to_sizes\": [64], \"to_steps\": [1]}]}"
#define CHAIN PIECE("input", "t") ", " PIECE("t", "output")
#define VARS                                                                                       \
    "\"input\": {\"type\": \"input\", \"var_id\": 0, \"size\": 64}, "                              \
    "\"output\": {\"type\": \"output\", \"var_id\": 1, \"size\": 64}, "                            \
    "\"t\": {\"type\": \"tmp-buf\", \"var_id\": 2, \"size\": 64}"
#define ALL_REDUCE                                                                                 \
    "c8 10 00 00 00 00 00 00 00 00 00 00 04 0a 00 00 00 00 00 00 01 00 00 00 10 00 00 00 00 00 "   \
    "00 "                                                                                          \
    "00 01\n"
#define BARRIER "d5 10\n" // of engines
#define NOP "a4 10\n"
#define TWO_RINGS                                                                                  \
    "\"q0\": {\"type\": \"data\", \"owner\": \"sp\", \"semaphore\": 1, \"num_queues\": 2}"

// clang-format off
static const struct {
    const char *name;
    neff_job_parts parts;
    const char *rules[2]; // what is found of 63, 71a, 72 and 75; NULL: nothing more
    const char *member;   // of the first
} rows[] = {
    {"in order", {.vars = VARS, .blocks = CHAIN, .records = TRIGGER WAIT("05", "01") TRIGGER WAIT("05", "02")}, {NULL}, NULL},
    {"a ring keeps its order", {.vars = VARS, .blocks = CHAIN, .records = TRIGGER TRIGGER WAIT("05", "02")}, {NULL}, NULL},
    {"two rings do not", {.vars = VARS, .queues = TWO_RINGS, .blocks = CHAIN, .records = TRIGGER TRIGGER WAIT("05", "04")}, {"NEFF-075a"}, "sg00/sp.json"},
    {"a count that never comes", {.vars = VARS, .blocks = CHAIN, .records = TRIGGER TRIGGER WAIT("05", "03")}, {"NEFF-072a"}, "sg00/sp.bin"},
    {"equal", {.vars = VARS, .blocks = CHAIN, .records = TRIGGER WAIT("01", "01") TRIGGER WAIT("01", "02")}, {NULL}, NULL},
    {"equal, too late", {.vars = VARS, .blocks = CHAIN, .records = TRIGGER TRIGGER WAIT("01", "01")}, {"NEFF-072a"}, "sg00/sp.bin"},
    {"taken away", {.vars = VARS, .queues = TWO_RINGS, .blocks = CHAIN, .records = TRIGGER WAIT("05", "02") CHANGE(SUBTRACT, "02") TRIGGER WAIT("05", "02")}, {NULL}, NULL},
    {"taken away too early", {.vars = VARS, .queues = TWO_RINGS, .blocks = CHAIN, .records = TRIGGER WAIT("05", "01") CHANGE(SUBTRACT, "01") TRIGGER WAIT("05", "03")}, {"NEFF-063", "NEFF-075a"}, "sg00/sp.json"},
    {"set to 0", {.vars = VARS, .queues = TWO_RINGS, .blocks = CHAIN, .records = TRIGGER WAIT("01", "02") CHANGE(STORE, "00") TRIGGER WAIT("01", "02")}, {NULL}, NULL},
    {"set to 1", {.vars = VARS, .queues = TWO_RINGS, .blocks = CHAIN, .records = TRIGGER CHANGE(STORE, "01") WAIT("05", "02") TRIGGER WAIT("05", "02")}, {"NEFF-063", "NEFF-075a"}, "sg00/sp.json"},
    {"set while others count", {.vars = VARS, .blocks = CHAIN, .records = TRIGGER TRIGGER CHANGE(STORE, "01") WAIT("05", "01")}, {"NEFF-072b", "NEFF-075b"}, ""},
    {"an event", {.vars = VARS, .queues = TWO_RINGS, .blocks = CHAIN, .pe = WAIT("05", "02") SET_EVENT("05"), .records = TRIGGER AWAIT_EVENT("05") TRIGGER WAIT("05", "04")}, {NULL}, NULL},
    {"an event that nobody waits for", {.vars = VARS, .queues = TWO_RINGS, .blocks = CHAIN, .pe = WAIT("05", "02") SET_EVENT("05"), .records = TRIGGER TRIGGER WAIT("05", "04")}, {"NEFF-075a", "NEFF-072c"}, "sg00/sp.json"},
    {"two events in turn", {.vars = VARS, .queues = TWO_RINGS, .blocks = CHAIN, .pe = TAKE_EVENT("05") WAIT("05", "02") SET_EVENT("06") TAKE_EVENT("05") WAIT("05", "04") SET_EVENT("06"), .records = TRIGGER SET_EVENT("05") TAKE_EVENT("06") TRIGGER SET_EVENT("05") TAKE_EVENT("06")}, {NULL}, NULL},
    {"two events, one is not awaited", {.vars = VARS, .queues = TWO_RINGS, .blocks = CHAIN, .pe = TAKE_EVENT("05") WAIT("05", "02") SET_EVENT("06") TAKE_EVENT("05") WAIT("05", "04") SET_EVENT("06"), .records = TRIGGER SET_EVENT("05") TRIGGER SET_EVENT("05") TAKE_EVENT("06")}, {"NEFF-072a"}, "sg00/pe.bin"},
    {"set, awaited, cleared by hand", {.vars = VARS, .queues = TWO_RINGS, .blocks = CHAIN, .pe = AWAIT_EVENT("05") WAIT("05", "02") CLEAR_EVENT("05"), .records = TRIGGER SET_EVENT("05") AWAIT_NO_EVENT("05") TRIGGER WAIT("05", "04")}, {NULL}, NULL},
    {"an event that is missed", {.vars = VARS, .blocks = CHAIN, .pe = AWAIT_EVENT("05"), .records = TRIGGER TRIGGER WAIT("05", "02") SET_EVENT("05") CLEAR_EVENT("05")}, {"NEFF-072a"}, "sg00/pe.bin"},
    {"two that set an event for two", {.vars = VARS, .blocks = CHAIN, .pe = TAKE_EVENT("05"), .act = TAKE_EVENT("05"), .records = TRIGGER TRIGGER WAIT("05", "02") SET_EVENT("05") SET_EVENT("05")}, {"NEFF-072a"}, "sg00/act.bin"},
    {"what computes may have written", {.vars = VARS, .blocks = PIECE("t", "output"), .records = "02 10\n" TRIGGER WAIT("05", "01")}, {"NEFF-075c"}, "sg00/sp.bin"},
    {"nobody has written", {.vars = VARS, .blocks = PIECE("t", "output"), .records = TRIGGER WAIT("05", "01")}, {"NEFF-063"}, "sg00/sp.json"},
    {"a signal that nobody waits for", {.vars = VARS, .blocks = CHAIN, .records = TRIGGER TRIGGER WAIT("05", "02") "a4 10 00 00 00 00 13 07\n"}, {"NEFF-072c"}, "sg00/sp.bin"},
    {"what cannot be lowered is not judged", {.vars = VARS, .blocks = CHAIN, .records = "a9 10\n" TRIGGER TRIGGER WAIT("05", "09")}, {"NEFF-075c"}, "sg00/sp.bin"},
    {"one note for all that computes", {.vars = VARS, .blocks = CHAIN, .pe = "02 10\n", .act = "21 10\n", .records = TRIGGER TRIGGER WAIT("05", "02")}, {"NEFF-075c"}, "sg00/pe.bin"},
    {"a race beside what computes", {.vars = VARS, .queues = TWO_RINGS, .blocks = CHAIN, .pe = "02 10\n", .records = TRIGGER TRIGGER WAIT("05", "04")}, {"NEFF-075c", "NEFF-075a"}, "sg00/pe.bin"},
    {"a barrier with nobody else", {.vars = VARS, .blocks = CHAIN, .records = TRIGGER TRIGGER BARRIER WAIT("05", "02")}, {NULL}, NULL},
    {"engines meet", {.vars = VARS, .blocks = CHAIN, .pe = BARRIER, .records = TRIGGER TRIGGER BARRIER WAIT("05", "02")}, {NULL}, NULL},
    {"an engine never comes to a barrier", {.vars = VARS, .blocks = CHAIN, .pe = NOP, .records = TRIGGER TRIGGER BARRIER WAIT("05", "02")}, {"NEFF-072a"}, "sg00/sp.bin"},
    {"two engines meet, a third one does not", {.vars = VARS, .blocks = CHAIN, .pe = BARRIER, .act = NOP, .records = TRIGGER TRIGGER BARRIER WAIT("05", "02")}, {"NEFF-072a", "NEFF-072a"}, "sg00/pe.bin"},
    {"an engine comes once too often", {.vars = VARS, .blocks = CHAIN, .pe = BARRIER BARRIER, .records = TRIGGER TRIGGER BARRIER WAIT("05", "02")}, {"NEFF-072a"}, "sg00/pe.bin"},
    {"a barrier of cores with one core", {.vars = VARS, .blocks = CHAIN, .records = TRIGGER TRIGGER "d8 10\n" WAIT("05", "02")}, {NULL}, NULL},
    {"a rank that meets nobody", {.groups = "[[1, 2]]", .vars = VARS, .records = ALL_REDUCE}, {"NEFF-071a"}, "sg00/sp.bin"},
};
// clang-format on

static hoist_job *open_named(hoist_test *t, const neff_texts *neff, const char *name)
{
    neff_test_entry entries[NEFF_TEST_MEMBERS];
    hoist_job *job = NULL;
    for (size_t i = 0; i < neff->count; i++) {
        entries[i] = (neff_test_entry){.name = hoist_str_from(neff->members[i].name),
                                       .text = neff->members[i].text};
    }
    const hoist_mut_bytes file = neff_test_packed(t, 1, entries, neff->count);
    const hoist_open_options options = {.struct_size = sizeof options, .format = "neff"};
    HOIST_EXPECT_EQ(
        t, hoist_job_open_bytes((hoist_bytes){file.data, file.size}, name, &options, t->diag, &job),
        HOIST_OK);
    return job;
}

static hoist_job *open_texts(hoist_test *t, const neff_texts *neff)
{
    return open_named(t, neff, "a.neff");
}

static bool is_of_orders(const hoist_finding *f)
{
    return strncmp(f->rule->id, "NEFF-072", 8) == 0 || strncmp(f->rule->id, "NEFF-075", 8) == 0 ||
           strcmp(f->rule->id, "NEFF-071a") == 0 ||
           (strcmp(f->rule->id, "NEFF-063") == 0 && hoist_str_contains(f->message, "no step"));
}

// Why a verdict is unknown.
static bool is_doubt(const hoist_finding *f)
{
    return strcmp(f->rule->id, "NEFF-072b") == 0 || strcmp(f->rule->id, "NEFF-075b") == 0;
}

HOIST_TEST_TABLE(checking_judges_the_orders, rows)
{
    neff_texts neff;
    neff_job_texts(t, &row->parts, &neff);
    hoist_job *job = open_texts(t, &neff);
    size_t found = 0;
    if (job) {
        HOIST_EXPECT_EQ(t, hoist_job_check(job, t->diag), HOIST_OK);
    }
    for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
        const hoist_finding *f = hoist_diag_at(t->diag, i);
        if (!is_of_orders(f)) {
            continue;
        }
        const char *wanted = found < 2 ? row->rules[found] : NULL;
        if (!wanted || strcmp(f->rule->id, wanted) != 0) {
            hoist_test_fail(t, __FILE__, __LINE__, "%s", hoist_test_findings(t).data);
        } else if (found == 0) {
            HOIST_EXPECT_STR(t, f->member, row->member);
        }
        found++;
    }
    const size_t wanted = row->rules[0] ? row->rules[1] ? 2 : 1 : 0;
    HOIST_EXPECT_EQ(t, found, wanted);
    hoist_job_close(job);
}

// Races in a scratchpad name the variables that lie there.
#define VIRTUAL(name, id, offset)                                                                  \
    "\"" name "\": {\"type\": \"virtual\", \"var_id\": " id ", \"size\": 64, "                     \
    "\"backing_variable_off\": " offset ", \"backing_buf\": \"pad\"}"
#define ENDS                                                                                       \
    "\"input\": {\"type\": \"input\", \"var_id\": 0, \"size\": 64}, "                              \
    "\"output\": {\"type\": \"output\", \"var_id\": 1, \"size\": 64}, "
static const struct {
    const char *name;
    const char *vars;
    const char *says;
} shared[] = {
    {"one", ENDS VIRTUAL("t", "2", "128"),
     "byte 128 of buffer 'scratchpad.main.pad' (byte 0 of 't')"},
    {"two", ENDS VIRTUAL("t", "2", "128") ", " VIRTUAL("u", "3", "96"),
     "byte 128 of buffer 'scratchpad.main.pad' (byte 0 of 't', byte 32 of 'u')"},
};

HOIST_TEST_TABLE(races_name_variables, shared)
{
    neff_texts neff;
    const neff_job_parts parts = {.vars = row->vars,
                                  .queues = TWO_RINGS,
                                  .blocks = CHAIN,
                                  .records = TRIGGER TRIGGER WAIT("05", "04")};
    neff_job_texts(t, &parts, &neff);
    hoist_job *job = open_texts(t, &neff);
    HOIST_EXPECT(t, job && hoist_job_check(job, t->diag) == HOIST_OK);
    bool said = false;
    for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
        const hoist_finding *f = hoist_diag_at(t->diag, i);
        said = said || (is_of_orders(f) && hoist_str_contains(f->message, row->says));
    }
    if (!said) {
        hoist_test_fail(t, __FILE__, __LINE__, "%s", hoist_test_findings(t).data);
    }
    hoist_job_close(job);
}

// Several ranks ----------------------------------------------------------------------------------

#define HALF(from, from_off, to, to_off, size)                                                     \
    "{\"id\": 0, \"queue\": \"q0\", \"desc\": [{\"from\": \"" from "\", \"from_off\": " from_off   \
    ", \"from_sizes\": [" size "], \"from_steps\": [1], \"to\": \"" to "\", \"to_off\": " to_off   \
    ", \"to_sizes\": [" size "], \"to_steps\": [1]}]}"
// `t` is written by two transfers and read by a third one, on three rings.
#define TWO_WRITERS                                                                                \
    HALF("input", "0", "t", "0", "32")                                                             \
    ", " HALF("input", "32", "t", "32", "32") ",\n" HALF("t", "0", "output", "0", "64")
#define THREE_RINGS                                                                                \
    "\"q0\": {\"type\": \"data\", \"owner\": \"sp\", \"semaphore\": 1, \"num_queues\": 3}"
// clang-format off
#define SOUND {.vars = VARS, .blocks = CHAIN, .records = TRIGGER WAIT("05", "01") TRIGGER WAIT("05", "02")}
#define RACING {.vars = VARS, .queues = TWO_RINGS, .blocks = CHAIN, .records = TRIGGER TRIGGER WAIT("05", "04")}
#define STUCK {.vars = VARS, .blocks = CHAIN, .records = TRIGGER TRIGGER WAIT("05", "03")}
#define REDUCES(count) {.vars = VARS, .records = "c8 10 00 00 00 00 00 00 00 00 00 00 04 0a 00 00 00 00 00 00 01 00 00 00 " count " 00 00 00 00 00 00 00 01\n"}


static const struct {
    const char *name;
    neff_job_parts parts[2];
    size_t files;
    uint32_t ranks;
    hoist_verdict verdict;
    const char *rule; // NULL: nothing is found of 71 to 75
    size_t count;     // of its findings
    const char *file; // of the last one
} ranked[] = {
    {"sound", {SOUND}, 1, 3, HOIST_VERDICT_CLEAN, NULL, 0, NULL},
    {"a race of all ranks is one", {RACING}, 1, 3, HOIST_VERDICT_BAD, "NEFF-075a", 1, "a.neff"},
    {"more ranks than findings are kept", {RACING}, 1, 150, HOIST_VERDICT_BAD, "NEFF-075a", 1, "a.neff"},
    {"another partner is another race", {{.vars = VARS, .queues = THREE_RINGS, .blocks = TWO_WRITERS, .records = TRIGGER TRIGGER TRIGGER WAIT("05", "09")}}, 1, 1, HOIST_VERDICT_BAD, "NEFF-075a", 2, "a.neff"},
    {"of all ranks, too", {{.vars = VARS, .queues = THREE_RINGS, .blocks = TWO_WRITERS, .records = TRIGGER TRIGGER TRIGGER WAIT("05", "09")}}, 1, 3, HOIST_VERDICT_BAD, "NEFF-075a", 2, "a.neff"},
    {"a wait of all ranks is one", {STUCK}, 1, 3, HOIST_VERDICT_BAD, "NEFF-072a", 1, "a.neff"},
    {"a signal of all ranks is one", {{.vars = VARS, .blocks = CHAIN, .records = TRIGGER TRIGGER WAIT("05", "02") "a4 10 00 00 00 00 13 07\n"}}, 1, 3, HOIST_VERDICT_CLEAN, "NEFF-072c", 1, "a.neff"},
    {"two sound files", {SOUND, SOUND}, 2, 2, HOIST_VERDICT_CLEAN, NULL, 0, NULL},
    {"a race in the second file", {SOUND, RACING}, 2, 2, HOIST_VERDICT_BAD, "NEFF-075a", 1, "b.neff"},
    {"the same race in both files", {RACING, RACING}, 2, 0, HOIST_VERDICT_BAD, "NEFF-075a", 2, "b.neff"},
    {"a wait in the second file", {SOUND, STUCK}, 2, 2, HOIST_VERDICT_BAD, "NEFF-072a", 1, "b.neff"},
    {"ranks that meet with different counts", {REDUCES("10"), REDUCES("08")}, 2, 2, HOIST_VERDICT_NONE, "NEFF-071d", 1, "b.neff"},
    {"what computes in the second file", {SOUND, {.vars = VARS, .blocks = CHAIN, .act = "21 10\n", .records = TRIGGER TRIGGER WAIT("05", "02")}}, 2, 2, HOIST_VERDICT_UNKNOWN, "NEFF-075c", 1, "b.neff"},
    {"a rank without a file", {SOUND, SOUND}, 2, 3, HOIST_VERDICT_UNKNOWN, "NEFF-075c", 1, "a.neff"},
};
// clang-format on

static hoist_job *open_ranks(hoist_test *t, const neff_job_parts *parts, size_t count)
{
    static const char *const names[] = {"a.neff", "b.neff"};
    hoist_job *job = NULL;
    for (size_t i = 0; i < count && i < sizeof names / sizeof names[0]; i++) {
        neff_texts neff;
        neff_job_texts(t, &parts[i], &neff);
        hoist_job *file = open_named(t, &neff, names[i]);
        if (i > 0) {
            HOIST_EXPECT_EQ(t, hoist_job_add(job, file, t->diag), HOIST_OK);
        } else {
            job = file;
        }
    }
    return job;
}

HOIST_TEST_TABLE(ranks_are_judged_together, ranked)
{
    const hoist_order_check options = {.struct_size = sizeof options, .ranks = row->ranks};
    hoist_verdict verdict = HOIST_VERDICT_BAD;
    hoist_job *job = open_ranks(t, row->parts, row->files);
    HOIST_EXPECT_EQ(t, hoist_job_check_order(job, &options, t->diag, &verdict), HOIST_OK);
    HOIST_EXPECT_EQ(t, verdict, row->verdict);
    size_t found = 0;
    for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
        const hoist_finding *f = hoist_diag_at(t->diag, i);
        const bool wanted = row->rule && strcmp(f->rule->id, row->rule) == 0;
        if (wanted && ++found == row->count) {
            HOIST_EXPECT_STR(t, f->file, row->file);
        } else if (!wanted && is_of_orders(f) && !is_doubt(f)) {
            hoist_test_fail(t, __FILE__, __LINE__, "%s", hoist_test_findings(t).data);
        }
    }
    if (found != row->count) {
        hoist_test_fail(t, __FILE__, __LINE__, "%zu findings: %s", found,
                        hoist_test_findings(t).data);
    }
    hoist_job_close(job);
}

// What is found of a program has one rule of the format.
static const struct {
    const char *name;
    hoist_program_rule rule;
    const char *own; // NULL: none
} rules[] = {
    {"PRG-101", HOIST_PRG_101, "NEFF-075a"}, {"PRG-102", HOIST_PRG_102, "NEFF-072a"},
    {"PRG-103", HOIST_PRG_103, NULL},        {"PRG-104", HOIST_PRG_104, "NEFF-063"},
    {"PRG-105", HOIST_PRG_105, "NEFF-072b"}, {"PRG-106", HOIST_PRG_106, "NEFF-075b"},
    {"PRG-107", HOIST_PRG_107, "NEFF-075c"}, {"PRG-108", HOIST_PRG_108, "NEFF-072c"},
};

HOIST_TEST_TABLE(findings_have_a_rule_of_the_format, rules)
{
    const hoist_rule *own = neff_lower_rule(row->rule);
    HOIST_EXPECT(t, strcmp(hoist_program_rule_get(row->rule)->id, row->name) == 0);
    HOIST_EXPECT(t, row->own ? own && strcmp(own->id, row->own) == 0 : own == NULL);
}

// A job has one file, or more of one format that can have them.
HOIST_TEST(files_are_added_to_jobs)
{
    static const char netlist[] = "devices:\n  arch: [grayskull]\n";
    const hoist_open_options options = {.struct_size = sizeof options, .format = "buda"};
    const hoist_bytes text = {(const uint8_t *)netlist, sizeof netlist - 1};
    neff_texts neff;
    hoist_job *other = NULL;
    hoist_program *program = NULL;
    neff_test_base(t, NEFF_TEST_ALL_REDUCE, NULL, &neff);
    hoist_job *job = open_texts(t, &neff);
    HOIST_EXPECT_EQ(t, hoist_job_add(job, open_texts(t, &neff), t->diag), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_job_lower(job, NULL, t->diag, &program), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_program_port_count(program), 4);
    hoist_program_destroy(program);
    if (hoist_job_open_bytes(text, "n.yaml", &options, NULL, &other) == HOIST_OK) {
        HOIST_EXPECT_EQ(t, hoist_job_add(job, other, t->diag), HOIST_INVALID);
        HOIST_EXPECT_EQ(t, hoist_job_add(other, job, t->diag), HOIST_UNSUPPORTED);
        HOIST_EXPECT_RULE(t, "LOAD-004");
    }
    hoist_job_close(other);
    hoist_job_close(job);
}

// Two cores --------------------------------------------------------------------------------------

// Each core copies a half of `input` to `output` and tells the other one; then both meet.
static const char core_def[] =
    "{\"name\": \"definition\", \"version\": \"0.6\", \"sp\": \"sp.json\",\n"
    "\"dma_queue\": {\"q0\": {\"type\": \"data\", \"owner\": \"sp\", \"semaphore\": 1}},\n"
    "\"var\": {\"input\": {\"type\": \"input\", \"var_id\": 0, \"size\": 64},\n"
    "\"output\": {\"type\": \"output\", \"var_id\": 1, \"size\": 64},\n"
    "\"own\": {\"type\": \"tmp-buf\", \"var_id\": 2, \"size\": 8}}}\n";

#define MEET "d8 10 00 00 00 00 00 00 00 00 00 00 05 00 00 00 03\n"

static void add_core(hoist_test *t, neff_texts *neff, unsigned core, const char *meet)
{
    const char *half =
        hoist_arena_format(
            &t->arena,
            "{\"dma\": [{\"id\": 0, \"queue\": \"q0\", \"remote_semaphores\": [2], "
            "\"desc\": [{\"from\": \"input\", \"from_off\": %u, \"from_sizes\": [32], "
            "\"from_steps\": [1], \"to\": \"output\", \"to_off\": %u, \"to_sizes\": "
            "[32], \"to_steps\": [1]}]}], \"instr\": \"sp.bin\", \"name\": \"sp\"}\n",
            32 * core, 32 * core)
            .data;
    neff_test_put(t, neff, core ? "sg01/def.json" : "sg00/def.json", hoist_str_from(core_def));
    neff_test_put(t, neff, core ? "sg01/sp.json" : "sg00/sp.json", hoist_str_from(half));
    neff_test_stream(t, neff, core ? "sg01/sp.bin" : "sg00/sp.bin",
                     hoist_arena_format(
                         &t->arena, TRIGGER "a0 10 00 00 05 02 00 00 01\n%s" WAIT("05", "01"), meet)
                         .data);
}

// `meet`: what the second core does where the first one meets it.
static hoist_program *lower_cores(hoist_test *t, uint32_t lnc_size, const char *meet)
{
    neff_texts neff;
    hoist_program *program = NULL;
    neff_test_base(t, NEFF_TEST_COPY, "trn2", &neff);
    neff_test_put(
        t, &neff, "kelf-0.json",
        HOIST_STR("{\"graphs\": [{\"definition\": \"sg00/def.json\", \"name\": \"sg00\"}, "
                  "{\"definition\": \"sg01/def.json\", \"name\": \"sg01\"}], "
                  "\"version\": \"0.5\", \"target\": \"*\"}\n"));
    add_core(t, &neff, 0, MEET);
    add_core(t, &neff, 1, meet);
    neff_module *module = neff_test_read(t, &neff);
    if (module) {
        const hoist_file file = {.module = &module->base, .name = HOIST_STR("a.neff")};
        const hoist_lower_options options = {.struct_size = sizeof options};
        module->header.lnc_size = lnc_size;
        HOIST_EXPECT_EQ(t, neff_lower(&file, 1, NULL, &options, t->diag, &program), HOIST_OK);
    }
    neff_test_destroy(module);
    return program;
}

HOIST_TEST(cores_share_inputs_and_outputs)
{
    const hoist_session_options options = {.struct_size = sizeof options, .threads = 4};
    hoist_session *s = NULL;
    uint8_t given[64];
    uint8_t found[64] = {0};
    hoist_program *program = lower_cores(t, 2, MEET);
    if (!program) {
        hoist_test_fail(t, __FILE__, __LINE__, "%s", hoist_test_findings(t).data);
        return;
    }
    for (size_t i = 0; i < sizeof given; i++) {
        given[i] = (uint8_t)(i + 1);
    }
    HOIST_EXPECT_EQ(t, hoist_program_port_count(program), 2); // not two for each core
    HOIST_EXPECT_EQ(t, order_verdict(t, program, 0), HOIST_VERDICT_CLEAN);
    HOIST_EXPECT_EQ(t, hoist_session_open(program, &options, t->diag, &s), HOIST_OK);
    HOIST_EXPECT_EQ(
        t, hoist_session_write(s, "input", 0, HOIST_DTYPE_F32, (hoist_bytes){given, sizeof given}),
        HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_run(s, "run", NULL, 0), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_session_wait_idle(s, 10), HOIST_OK);
    HOIST_EXPECT_EQ(
        t,
        hoist_session_read(s, "output", 0, HOIST_DTYPE_F32, (hoist_mut_bytes){found, sizeof found}),
        HOIST_OK);
    HOIST_EXPECT(t, memcmp(given, found, sizeof given) == 0);
    hoist_session_close(s);
    hoist_program_destroy(program);
}

// Cores meet when they are of one logical core.
static const struct {
    const char *name;
    uint32_t lnc_size;
    const char *meet;
    hoist_verdict verdict;
} meetings[] = {
    {"both come", 2, MEET, HOIST_VERDICT_CLEAN},
    {"one of them does not", 2, "", HOIST_VERDICT_BAD},
    {"each core for itself", 1, "", HOIST_VERDICT_CLEAN},
    {"each core for itself, in an old file", 0, "", HOIST_VERDICT_CLEAN},
};

HOIST_TEST_TABLE(cores_meet, meetings)
{
    hoist_program *program = lower_cores(t, row->lnc_size, row->meet);
    const hoist_verdict verdict = program ? order_verdict(t, program, 0) : HOIST_VERDICT_UNKNOWN;
    HOIST_EXPECT_EQ(t, verdict, row->verdict);
    HOIST_EXPECT_RULE(t, row->verdict == HOIST_VERDICT_CLEAN ? NULL : "NEFF-072a");
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(cores_meet), HOIST_TEST_ROW(checking_judges_the_orders),
                HOIST_TEST_ROW(races_name_variables), HOIST_TEST_ROW(ranks_are_judged_together),
                HOIST_TEST_ROW(findings_have_a_rule_of_the_format),
                HOIST_TEST_ROW(files_are_added_to_jobs),
                HOIST_TEST_ROW(cores_share_inputs_and_outputs))
