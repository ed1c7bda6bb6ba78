// hoist scan: an inventory of the files in trees (src/scan): the options, and where it is written.
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/span.h"
#include "os/shared_alloc.h"
#include "parse.h"
#include "scan/show.h"

// Memory that work on files takes without --max-memory.
// It is for all threads together, and apart from the database.
static const size_t SCAN_MEMORY = (size_t)192 << 20;

// What the scan reports while it goes on: a file that cannot be read does not end it.
static void complain(void *self, hoist_str path, const char *sentence)
{
    tool_complain(self, "%.*s: %s", (int)path.size, path.data, sentence);
}

// Writes the bill of materials, complete or not at all.
// The folder of the output gets the complete file under its name, or keeps the old one.
static tool_exit write_bom(tool *t, hoist_scan *scan, const char *path)
{
    if (tool_is_stdout(path)) {
        return tool_exit_of(hoist_scan_bom(scan, t->out));
    }
    hoist_diag *diag = NULL;
    hoist_output file;
    if (hoist_diag_create(t->alloc, NULL, &diag) != HOIST_OK) {
        return TOOL_LIMIT;
    }
    hoist_status status = hoist_output_create(&file, path, t->temporaries, diag);
    if (status == HOIST_OK) {
        status = hoist_scan_bom(scan, &file);
        if (status == HOIST_OK) {
            status = hoist_output_close(&file, diag);
        } else {
            hoist_output_drop(&file);
        }
    }
    for (size_t i = 0; i < hoist_diag_kept(diag); i++) {
        complain(t, hoist_str_from(path), hoist_diag_at(diag, i)->message.data);
    }
    hoist_diag_destroy(diag);
    return tool_exit_of(status);
}

// The bill first: lines or the table on standard output may be cut off by a reader that ends.
static tool_exit show(tool *t, hoist_scan *scan, const hoist_scan_counts *counts)
{
    const char *const bom = t->values[OPT_BOM];
    tool_exit code = bom ? write_bom(t, scan, bom) : TOOL_OK;
    if (tool_given(t, OPT_ENTRY_LINES)) {
        return tool_worse(code, tool_exit_of(hoist_scan_lines(scan, t->out)));
    }
    return tool_given(t, OPT_QUIET) || (bom && tool_is_stdout(bom))
               ? code
               : tool_worse(code,
                            tool_exit_of(hoist_scan_table(scan, counts, t->row_width, t->out)));
}

// What the counts of a scan that was done say.
// Findings in files do not count: the inventory was made.
static tool_exit code_of(const hoist_scan_counts *counts)
{
    const tool_exit read = counts->unreadable ? TOOL_UNREADABLE : TOOL_OK;
    return tool_worse(read, counts->limited ? TOOL_LIMIT : TOOL_OK);
}

// What was scanned before a limit is in the database; the list is shown only for a complete
// scan.
static tool_exit scan_all(tool *t, const hoist_scan_options *options)
{
    hoist_scan *scan = NULL;
    hoist_scan_counts counts = {0};
    t->doing = "scanning";
    hoist_status status = hoist_scan_open(options, &scan);
    status = status == HOIST_OK ? hoist_scan_run(scan, &counts) : status;
    tool_exit code = TOOL_OK;
    if (status == HOIST_OK) {
        t->limit_explained = counts.limited > 0;
        code = tool_worse(code_of(&counts), show(t, scan, &counts));
    } else {
        // The scan keeps its last message (of SQLite, or of a path); memory has none.
        const bool is_late = hoist_deadline_look(t->deadline) == HOIST_LIMIT;
        const char *const reason = is_late ? "the time limit of --timeout was reached"
                                   : scan && hoist_scan_message(scan)[0] ? hoist_scan_message(scan)
                                                                         : "memory ran out";
        tool_complain(t, "%s", reason);
        t->limit_explained = true;
        // HOIST_INVALID here: the file of --db or --merge is no such database.
        code = status == HOIST_INVALID ? TOOL_UNREADABLE : tool_exit_of(status);
    }
    hoist_scan_close(scan);
    return code;
}

// The databases of --merge, none of which is made by opening it.
static tool_exit read_merged(tool *t, hoist_arena *arena, hoist_scan_options *options)
{
    // As many as values of repeatable options, and one, since an array of none may be NULL.
    const char **const merged =
        hoist_arena_array(arena, t->repeated_count + 1, sizeof(const char *));
    size_t at = 0;
    if (!merged) {
        return TOOL_LIMIT;
    }
    for (const char *path = NULL; (path = tool_next_value(t, OPT_MERGE, &at)) != NULL;) {
        merged[options->merged_count++] = path;
        if (!tool_reads(t, path)) {
            return TOOL_LIMIT;
        }
    }
    options->merged = merged;
    return TOOL_OK;
}

// `alloc` may be used by all threads; t->alloc is the command's own.
static tool_exit scan_with(tool *t, hoist_allocator alloc)
{
    hoist_scan_options options = {
        .alloc = alloc,
        .paths = t->arguments,
        .path_count = t->argument_count,
        .db = t->values[OPT_DB],
        .jobs = (size_t)tool_count_of(t, OPT_JOBS, 1),
        .memory = t->max_memory ? t->max_memory : SCAN_MEMORY,
        .deadline = t->deadline,
        .complain = complain,
        .self = t,
    };
    if (t->values[OPT_SHARD]) {
        // "2/8": the form was checked with the options.
        (void)tool_parse_shard(t->values[OPT_SHARD], &options.shard, &options.shards);
    }
    hoist_arena arena;
    hoist_arena_init(&arena, t->alloc);
    tool_exit code = read_merged(t, &arena, &options);
    const char *const bom = t->values[OPT_BOM];
    // --db or --merge alone list what is known already.
    if (code == TOOL_OK && t->argument_count == 0 && !options.db && !options.merged_count) {
        tool_complain(t, "scan needs a folder, or a database");
        code = TOOL_USAGE;
    } else if (code == TOOL_OK && bom && !tool_is_stdout(bom) && !tool_spares_inputs(t, bom)) {
        code = TOOL_USAGE;
    } else if (code == TOOL_OK && bom && tool_is_stdout(bom) && tool_given(t, OPT_ENTRY_LINES)) {
        tool_complain(t, "--bom and --jsonl both go to standard output, expected one of them");
        code = TOOL_USAGE;
    }
    code = code == TOOL_OK ? scan_all(t, &options) : code;
    hoist_arena_deinit(&arena);
    return code;
}

tool_exit cmd_scan(tool *t)
{
    // Threads allocate, too; what work on a file takes has a limit of its own.
    hoist_shared_alloc shared;
    if (!hoist_shared_alloc_init(&shared, t->budget.parent)) {
        return TOOL_LIMIT;
    }
    const tool_exit code = scan_with(t, hoist_shared_allocator(&shared));
    hoist_shared_alloc_deinit(&shared);
    return code;
}
