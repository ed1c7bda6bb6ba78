#include <string.h>

#include "base/alloc.h"
#include "base/span.h"
#include "testing/test.h"

static const hoist_rule rules[] = {
    {.id = "T-001", .severity = HOIST_ERROR, .title = "an error"},
    {.id = "T-002a", .severity = HOIST_WARNING, .strict_error = true, .title = "a warning"},
    {.id = "T-003", .severity = HOIST_NOTE, .title = "a note"},
};

HOIST_TEST(findings_come_in_order_of_place)
{
    hoist_report(t->diag, &rules[0], hoist_loc_pos((hoist_pos){7, 1}), "seven");
    hoist_report(t->diag, &rules[1], hoist_loc_pos((hoist_pos){2, 9}), "two-nine");
    hoist_report(t->diag, &rules[2], hoist_loc_pos((hoist_pos){2, 3}), "two-three");
    hoist_report(t->diag, &rules[2], hoist_loc_pos((hoist_pos){2, 3}), "two-three again");
    HOIST_EXPECT_STR(t, hoist_test_findings(t),
                     "2:3: note: two-three [T-003]\n2:3: note: two-three again [T-003]\n"
                     "2:9: warning: two-nine [T-002a]\n7:1: error: seven [T-001]\n");
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_NOTE), 2);
    HOIST_EXPECT_RULE(t, "T-002");
}

HOIST_TEST(a_warning_whatever_the_rule_says)
{
    hoist_warn(t->diag, &rules[0], hoist_loc_byte(3), "let pass: %d", 1);
    hoist_warn(t->diag, &rules[2], hoist_loc_byte(4), "raised");
    HOIST_EXPECT_STR(t, hoist_test_findings(t),
                     "+0x3: warning: let pass: 1 [T-001]\n+0x4: warning: raised [T-003]\n");
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_WARNING), 2);
}

HOIST_TEST(frames_give_path_and_context)
{
    hoist_frame graph;
    hoist_frame op;
    hoist_diag_source(t->diag, HOIST_STR("a.yaml"), HOIST_STR("m!n"));
    hoist_diag_push(t->diag, &graph, "reading graph", HOIST_STR("g0"), HOIST_STR("graphs/g0"));
    hoist_diag_push(t->diag, &op, NULL, HOIST_STR(""), HOIST_STR("ops/mm"));
    hoist_report(t->diag, &rules[0], hoist_loc_byte(16), "%d bytes", 3);
    hoist_diag_pop(t->diag, &op);
    hoist_diag_push_item(t->diag, &op, "tensors", 3);
    hoist_report(t->diag, &rules[0], hoist_loc_byte(16), "%d bytes", 4);
    hoist_diag_pop(t->diag, &op);
    hoist_diag_pop(t->diag, &graph);
    hoist_diag_push_item(t->diag, &op, "", UINT32_MAX);
    hoist_report(t->diag, &rules[0], hoist_loc_byte(16), "%d bytes", 5);
    hoist_diag_pop(t->diag, &op);
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 1)->object, "graphs/g0/tensors/3");
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 2)->object, "4294967295");
    const hoist_finding *f = hoist_diag_at(t->diag, 0);
    HOIST_EXPECT_STR(t, f->file, "a.yaml");
    HOIST_EXPECT_STR(t, f->member, "m!n");
    HOIST_EXPECT_STR(t, f->object, "graphs/g0/ops/mm");
    HOIST_EXPECT_STR(t, f->context, "while reading graph 'g0'");
    HOIST_EXPECT_STR(t, f->message, "3 bytes");
}

HOIST_TEST(strict_and_cap)
{
    const hoist_diag_options options = {sizeof(options), .strict = true, .max_findings = 2};
    hoist_diag *diag = NULL;
    HOIST_EXPECT_EQ(t, hoist_diag_create(hoist_allocator_system(), &options, &diag), HOIST_OK);
    for (int i = 0; i < 5; i++) {
        HOIST_EXPECT_EQ(t, hoist_fail(diag, HOIST_INVALID, &rules[1], hoist_loc_none(), "x"),
                        HOIST_INVALID);
    }
    HOIST_EXPECT_EQ(t, hoist_diag_count(diag, HOIST_ERROR), 5);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(diag), 2);
    hoist_diag_destroy(diag);
    const hoist_diag_options forgotten = {.strict = true};
    HOIST_EXPECT_EQ(t, hoist_diag_create(hoist_allocator_system(), &forgotten, &diag),
                    HOIST_INVALID);
    HOIST_EXPECT(t, diag == NULL);
}

HOIST_TEST(a_place_may_name_another_member)
{
    static const hoist_source sources[] = {{{"a.neff", 6}, {"sg00/pe.bin", 11}, 64},
                                           {{"b.neff", 6}, {"sg00/pool.json", 14}, 0}};
    hoist_loc loc = hoist_loc_byte(64);
    hoist_diag_source(t->diag, HOIST_STR("a.neff"), HOIST_STR("def.json"));
    hoist_diag_sources(t->diag, sources, HOIST_COUNT_OF(sources));
    for (loc.source = 0; loc.source <= 3; loc.source++) {
        hoist_report(t->diag, &rules[0], loc, "found");
    }
    hoist_diag_sources(t->diag, NULL, 0);
    loc.source = 1;
    hoist_report(t->diag, &rules[0], loc, "found");
    static const char *const wanted[] = {"def.json", "sg00/pe.bin", "sg00/pool.json", "def.json",
                                         "def.json"};
    static const uint32_t left[] = {0, 0, 0, 3, 1}; // no source of those that were reported
    for (size_t i = 0; i < HOIST_COUNT_OF(wanted); i++) {
        const hoist_finding *f = hoist_diag_at(t->diag, i);
        HOIST_EXPECT_STR(t, f->member, wanted[i]);
        HOIST_EXPECT_STR(t, f->file, i == 2 ? "b.neff" : "a.neff");
        HOIST_EXPECT_EQ(t, f->loc.source, left[i]);
        HOIST_EXPECT_STR(t, f->object, i == 1 ? "record 1" : "");
    }
}

HOIST_TEST(a_call_leaves_no_file_behind)
{
    hoist_diag_source(t->diag, HOIST_STR("a"), HOIST_STR("m"));
    const hoist_source before = hoist_diag_enter(t->diag, HOIST_STR("b"));
    hoist_report(t->diag, &rules[0], hoist_loc_none(), "found");
    hoist_diag_leave(t->diag, before);
    hoist_report(t->diag, &rules[0], hoist_loc_none(), "found");
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->file, "b");
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->member, "");
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 1)->file, "a");
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 1)->member, "m");
    hoist_diag_leave(NULL, hoist_diag_enter(NULL, HOIST_STR("b")));
}

HOIST_TEST(files_sort_before_members_before_places)
{
    static const struct {
        const char *file;
        const char *member;
        hoist_loc loc;
    } places[] = {
        {"b", "", {HOIST_LOC_TEXT, {1, 1}, 0, 0}},  {"a", "x", {HOIST_LOC_BYTE, {0, 0}, 0, 64}},
        {"a", "x", {HOIST_LOC_BYTE, {0, 0}, 0, 8}}, {"a", "", {HOIST_LOC_TEXT, {9, 9}, 0, 0}},
        {"a", "x", {HOIST_LOC_NONE, {0, 0}, 0, 0}},
    };
    hoist_diag_sort(t->diag); // nothing to sort
    for (size_t i = 0; i < HOIST_COUNT_OF(places); i++) {
        hoist_diag_source(t->diag, hoist_str_from(places[i].file),
                          hoist_str_from(places[i].member));
        HOIST_EXPECT_STR(t, hoist_diag_file(t->diag), places[i].file);
        HOIST_EXPECT_STR(t, hoist_diag_member(t->diag), places[i].member);
        hoist_report(t->diag, &rules[0], places[i].loc, "%zu", i);
    }
    HOIST_EXPECT_STR(t, hoist_test_findings(t),
                     "9:9: error: 3 [T-001]\nerror: 4 [T-001]\n+0x8: error: 2 [T-001]\n"
                     "+0x40: error: 1 [T-001]\n1:1: error: 0 [T-001]\n");
}

HOIST_TEST(survives_every_failed_allocation)
{
    for (size_t n = 1; n < 20; n++) {
        hoist_failing failing;
        hoist_diag *diag = NULL;
        const hoist_allocator alloc = hoist_failing_allocator(&failing, n);
        if (hoist_diag_create(alloc, NULL, &diag) == HOIST_OK) {
            hoist_diag_source(diag, HOIST_STR("f"), HOIST_STR(""));
            hoist_report(diag, &rules[0], hoist_loc_none(), "%s", "text");
            HOIST_EXPECT(t, failing.requests < n || hoist_diag_incomplete(diag));
        }
        hoist_diag_destroy(diag);
        HOIST_EXPECT_EQ(t, failing.live, 0);
    }
}

// A finding of another diag is copied, and so are its texts.
HOIST_TEST(added_findings_are_copied)
{
    char texts[] = "file member object message context";
    const hoist_finding finding = {.rule = &(hoist_rule){.id = "X-001", .severity = HOIST_ERROR},
                                   .severity = HOIST_ERROR,
                                   .file = {texts, 4},
                                   .member = {texts + 5, 6},
                                   .object = {texts + 12, 6},
                                   .message = {texts + 19, 7},
                                   .context = {texts + 27, 7}};
    hoist_diag_add(t->diag, &finding);
    memset(texts, 'x', sizeof(texts));
    const hoist_finding *kept = hoist_diag_at(t->diag, 0);
    HOIST_EXPECT_STR(t, kept->file, "file");
    HOIST_EXPECT_STR(t, kept->member, "member");
    HOIST_EXPECT_STR(t, kept->object, "object");
    HOIST_EXPECT_STR(t, kept->message, "message");
    HOIST_EXPECT_STR(t, kept->context, "context");
}

HOIST_TEST(null_diag_is_silent)
{
    hoist_warn(NULL, &rules[0], hoist_loc_none(), "nobody hears it");
    hoist_frame frame;
    hoist_diag_push(NULL, &frame, "x", HOIST_STR("y"), HOIST_STR("z"));
    hoist_report(NULL, &rules[0], hoist_loc_none(), "nobody listens");
    hoist_diag_pop(NULL, &frame);
    hoist_diag_sort(NULL);
    hoist_diag_source(NULL, HOIST_STR("f"), HOIST_STR("m"));
    HOIST_EXPECT_EQ(t, hoist_diag_file(NULL).size + hoist_diag_member(NULL).size, 0);
    HOIST_EXPECT_EQ(t, hoist_diag_count(NULL, HOIST_ERROR), 0);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(NULL), 0);
    HOIST_EXPECT(t, !hoist_diag_incomplete(NULL));
    HOIST_EXPECT_EQ(t, hoist_fail(NULL, HOIST_IO, &rules[0], hoist_loc_none(), "x"), HOIST_IO);
}

HOIST_TEST(long_names_are_cut)
{
    char name[5000];
    memset(name, 'n', sizeof(name));
    name[255] = (char)0xc3; // a character of two bytes across the place of the cut
    name[256] = (char)0xa9;
    const hoist_str text = {name, sizeof(name)};
    hoist_frame frame;
    hoist_diag_push(t->diag, &frame, "reading op", text, text);
    hoist_report(t->diag, &rules[0], hoist_loc_none(), "%.*s|%.*s|%.*s|%.*s|%.*s",
                 HOIST_STR_ARGS(text), HOIST_STR_ARGS(text), HOIST_STR_ARGS(text),
                 HOIST_STR_ARGS(text), HOIST_STR_ARGS(text));
    hoist_diag_pop(t->diag, &frame);
    const hoist_finding *f = hoist_diag_at(t->diag, 0);
    HOIST_EXPECT_EQ(t, f->object.size, 255 + 3);
    HOIST_EXPECT(t, hoist_str_ends_with(f->object, "nnn..."));
    HOIST_EXPECT(t, hoist_str_ends_with(f->context, "nnn...'"));
    HOIST_EXPECT(t, f->message.size < 2060 && hoist_str_ends_with(f->message, "..."));
}

static hoist_status create_like(hoist_allocator alloc, const void *self)
{
    hoist_diag *diag = NULL;
    const hoist_status status = hoist_diag_create_like(alloc, self, &diag);
    hoist_diag_destroy(diag);
    return status;
}

HOIST_TEST(another_like_it_takes_memory)
{
    hoist_test_starve(t, create_like, t->diag);
    hoist_test_starve(t, create_like, NULL);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(added_findings_are_copied),
                HOIST_TEST_ROW(another_like_it_takes_memory),
                HOIST_TEST_ROW(findings_come_in_order_of_place),
                HOIST_TEST_ROW(a_warning_whatever_the_rule_says),
                HOIST_TEST_ROW(frames_give_path_and_context), HOIST_TEST_ROW(strict_and_cap),
                HOIST_TEST_ROW(a_place_may_name_another_member),
                HOIST_TEST_ROW(a_call_leaves_no_file_behind),
                HOIST_TEST_ROW(files_sort_before_members_before_places),
                HOIST_TEST_ROW(survives_every_failed_allocation),
                HOIST_TEST_ROW(null_diag_is_silent), HOIST_TEST_ROW(long_names_are_cut))
