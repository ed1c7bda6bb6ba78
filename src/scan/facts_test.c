#include "base/span.h"
#include "scan/facts.h"
#include "testing/test.h"

static void send_loader(hoist_tree_sink *sink, const char *key, const char *name, bool loads)
{
    hoist_tree_map(sink, "");
    hoist_tree_c(sink, key, name);
    hoist_tree_bool(sink, "loads", loads);
    hoist_tree_c(sink, "reason", "none");
    hoist_tree_end(sink);
}

HOIST_TEST(takes_what_summaries_share)
{
    hoist_scan_facts facts;
    hoist_scan_facts_init(&facts, hoist_allocator_system());
    hoist_tree_sink sink = hoist_scan_facts_sink(&facts);
    hoist_tree_map(&sink, "header");
    hoist_tree_uint(&sink, "major_version", 1, HOIST_UNIT_NONE);
    hoist_tree_c(&sink, "build_version", "a\nb");
    hoist_tree_null(&sink, "no_version");
    hoist_tree_c(&sink, "chip", "beagle");
    hoist_tree_end(&sink);
    hoist_tree_list(&sink, "operators");
    hoist_tree_map(&sink, "");
    hoist_tree_uint(&sink, "version", 7, HOIST_UNIT_NONE);
    hoist_tree_end(&sink);
    hoist_tree_end(&sink);
    hoist_tree_list(&sink, "runtimes");
    send_loader(&sink, "runtime", "old", false);
    send_loader(&sink, "runtime", "new", true);
    hoist_tree_map(&sink, "");
    hoist_tree_uint(&sink, "version", 13, HOIST_UNIT_NONE);
    hoist_tree_bool(&sink, "loads", true);
    hoist_tree_end(&sink);
    hoist_tree_end(&sink);
    hoist_tree_list(&sink, "listed");
    hoist_tree_c(&sink, "", "grayskull");
    hoist_tree_end(&sink);
    hoist_tree_c(&sink, "dialect", "d3");
    HOIST_EXPECT_EQ(t, sink.status, HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&facts.versions),
                     "major_version 1\nbuild_version a\\x0ab\ndialect d3\n");
    HOIST_EXPECT_STR(t, hoist_buffer_text(&facts.loads), "new\nruntime 13\ngrayskull\n");
    HOIST_EXPECT_STR(t, hoist_buffer_text(&facts.target), "beagle");
    hoist_scan_facts_deinit(&facts);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(takes_what_summaries_share))
