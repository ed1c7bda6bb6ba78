// Every real netlist: what is written reads back as the same module, and writing that again gives
// the same bytes.
#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "formats/buda/module.h"
#include "testing/test.h"
#include "testing/trace.h"

// One netlist in the three forms that a round trip compares.
typedef struct netlist_forms {
    hoist_module *module; // NULL: not readable
    hoist_buffer events;
    hoist_buffer text;
} netlist_forms;

static void forms_init(netlist_forms *forms, hoist_test *t, hoist_bytes bytes)
{
    const hoist_allocator alloc = hoist_allocator_system();
    const hoist_read_options options = {.alloc = alloc};
    hoist_buffer_init(&forms->events, alloc);
    hoist_buffer_init(&forms->text, alloc);
    if (hoist_buda_format.read(bytes, &options, t->diag, &forms->module) != HOIST_OK) {
        HOIST_EXPECT(t, hoist_diag_count(t->diag, HOIST_ERROR) > 0);
        return;
    }
    hoist_tree_sink sink = hoist_trace_sink(&forms->events);
    HOIST_EXPECT_EQ(t, hoist_buda_format.visit(forms->module, NULL, &sink), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_buda_format.write(forms->module, &forms->text), HOIST_OK);
}

static void forms_deinit(netlist_forms *forms)
{
    hoist_buda_format.destroy(forms->module);
    hoist_buffer_deinit(&forms->events);
    hoist_buffer_deinit(&forms->text);
}

static void round_trip(hoist_test *t, hoist_bytes bytes)
{
    netlist_forms first;
    netlist_forms second;
    forms_init(&first, t, bytes);
    if (first.module) {
        forms_init(&second, t, hoist_buffer_bytes(&first.text));
        HOIST_EXPECT(t, second.module != NULL);
        HOIST_EXPECT(t, hoist_str_equal(hoist_buffer_text(&first.events),
                                        hoist_buffer_text(&second.events)));
        HOIST_EXPECT(
            t, hoist_str_equal(hoist_buffer_text(&first.text), hoist_buffer_text(&second.text)));
        forms_deinit(&second);
    }
    forms_deinit(&first);
}

// Returns how many netlists the folder and its folders hold.
static size_t walk_folder(hoist_test *t, const char *path)
{
    size_t count = 0;
    DIR *const dir = opendir(path);
    for (const struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir)) {
        char child[4096];
        struct stat st;
        const int size = snprintf(child, sizeof(child), "%s/%s", path, e->d_name);
        if (e->d_name[0] == '.' || size < 0 || (size_t)size >= sizeof(child) ||
            stat(child, &st) != 0) {
            continue;
        }
        if (S_ISDIR(st.st_mode)) {
            count += walk_folder(t, child);
        } else if (hoist_str_ends_with(hoist_str_from(child), ".yaml")) {
            hoist_test_row(t, child);
            round_trip(t, hoist_test_file(t, child));
            count++;
        }
    }
    if (dir) {
        (void)closedir(dir);
    }
    return count;
}

HOIST_TEST(netlists_round_trip)
{
    static const char *const folders[] = {"buda", "buda-large", "buda-golden"};
    size_t count = 0;
    for (size_t i = 0; i < HOIST_COUNT_OF(folders); i++) {
        const char *const path = hoist_test_corpus(t, folders[i]);
        if (!path) {
            hoist_test_skip(t, "the corpus is absent");
            return;
        }
        count += walk_folder(t, path);
    }
    HOIST_EXPECT(t, count > 300);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(netlists_round_trip))
