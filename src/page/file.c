// The documents of a file in a page. In: a job. Out: hoist_page's documents, one after the other;
// the estimated run is run.c.
#include "page/file.h"

#include <stdio.h>

#include "base/diag.h"
#include "base/span.h"
#include "base/tree.h"
#include "load/job.h"
#include "page/run.h"
#include "report/findings.h"

// viewer/, as bytes.
extern const uint8_t viewer_text[];
extern const size_t viewer_text_size;
extern const uint8_t viewer_style[];
extern const size_t viewer_style_size;
extern const uint8_t viewer_script[];
extern const size_t viewer_script_size;

enum { MOST_VALUES = 2000000 }; // of the content of a file; a page cannot hold any number

static hoist_str str_of(const uint8_t *bytes, size_t size)
{
    return (hoist_str){(const char *)bytes, size};
}

void page_open(hoist_page *page, hoist_allocator alloc, hoist_output *out, hoist_deadline *deadline)
{
    const hoist_page_parts parts = {.text = str_of(viewer_text, viewer_text_size),
                                    .style = str_of(viewer_style, viewer_style_size),
                                    .script = str_of(viewer_script, viewer_script_size)};
    hoist_page_open(page, alloc, out, &parts, deadline);
}

// Begins a document whose element has the kind and the number of the file as its id.
static void begin(const page_file *file, const char *what, bool positions, hoist_page *page)
{
    char id[32];
    (void)snprintf(id, sizeof(id), "%s-%zu", what, file->number);
    hoist_page_begin(page, id, positions);
}

// Tells the caller how a part ended; the page itself has only what worked.
static void end_part(const page_file *file, hoist_status status, hoist_diag *found)
{
    if (file->ended) {
        file->ended(file->self, status, found);
    }
}

// Contents ----------------------------------------------------------------------------------------

static hoist_status count_value(void *self, const hoist_tree_event *event)
{
    size_t *count = self;
    (void)event;
    // Stops the dump, which otherwise would go through the whole file.
    return ++*count > MOST_VALUES ? HOIST_LIMIT : HOIST_OK;
}

// `*out_has`: the content has a document, since the format gives it and a page can hold it.
static hoist_status find_content(const page_file *file, bool *out_has)
{
    size_t count = 0;
    // Dumped once for the count alone: a document that was begun cannot be taken back.
    hoist_tree_sink counter = {.self = &count, .event = count_value};
    const hoist_status status = hoist_job_dump(file->job, NULL, false, &counter);
    *out_has = status == HOIST_OK;
    // Both leave the content out, and are no failure of the page.
    return count > MOST_VALUES || status == HOIST_UNSUPPORTED ? HOIST_OK : status;
}

static hoist_status send_content(const page_file *file, hoist_page *page)
{
    begin(file, "content", true, page);
    return hoist_page_end(page, hoist_job_dump(file->job, NULL, true, &page->sink));
}

// Facts -------------------------------------------------------------------------------------------

// Files of some formats are not drawn; then the page says so.
static hoist_status send_graphs(const hoist_job *job, hoist_diag *diag, hoist_tree_sink *sink)
{
    // Asked without a sink first: what is unsupported must not leave half a list.
    const hoist_status drawn = hoist_job_graph(job, NULL, NULL);
    if (drawn != HOIST_OK) {
        return drawn == HOIST_UNSUPPORTED ? HOIST_OK : drawn;
    }
    return hoist_job_graph_and_layout(job, diag, sink);
}

static hoist_status send_info(const hoist_job *job, hoist_diag *diag, hoist_tree_sink *sink)
{
    return hoist_job_info(job, false, diag, sink);
}

// What these calls find has a diag of its own: each of them repeats what hoist_job_check() finds.
typedef hoist_status send_fn(const hoist_job *job, hoist_diag *diag, hoist_tree_sink *sink);

static hoist_status send_facts(const page_file *file, send_fn *send, hoist_page *page)
{
    hoist_diag *diag = NULL;
    HOIST_TRY(hoist_diag_create(page->alloc, NULL, &diag));
    hoist_status status = send(file->job, diag, &page->sink);
    end_part(file, status, diag);
    // Findings that are missing would make a page that says less than there is.
    status = status == HOIST_OK && hoist_diag_incomplete(diag) ? HOIST_NO_MEMORY : status;
    hoist_diag_destroy(diag);
    return status;
}

// What is known of the file without reading it, and whether the page has its content.
static void send_head(const page_file *file, bool content, hoist_tree_sink *sink)
{
    const hoist_job *job = file->job;
    hoist_tree_c(sink, "schema", "hoist.view/1");
    hoist_tree_c(sink, "generator", "hoist " HOIST_VERSION_TEXT);
    hoist_tree_str(sink, "file", file->name);
    hoist_tree_maybe_c(sink, "format", job ? hoist_job_format(job) : NULL);
    hoist_tree_maybe_c(sink, "title", job ? hoist_job_format_title(job) : NULL);
    hoist_tree_uint(sink, "size_bytes", file->size, HOIST_UNIT_BYTES);
    hoist_tree_bool(sink, "has_content", content);
}

// As hoist_job_check() does, with the races that it finds step by step.
static void send_races(const page_file *file, hoist_tree_sink *sink)
{
    hoist_tree_list(sink, "races");
    if (file->job) {
        const hoist_order_check check = {.struct_size = sizeof check, .brief = true, .races = sink};
        hoist_verdict verdict = HOIST_VERDICT_NONE;
        end_part(file, hoist_job_check_order(file->job, &check, file->diag, &verdict), NULL);
    }
    hoist_tree_end(sink);
}

// The document that the page shows at once. What the graphs lack does not stop the findings.
static hoist_status send_first(const page_file *file, bool content, hoist_page *page)
{
    static const hoist_findings_options all = {.quiet = false};
    hoist_tree_sink *const sink = &page->sink;
    begin(file, "file", false, page);
    hoist_tree_map(sink, "");
    send_head(file, content, sink);
    const hoist_status status = file->is_shown ? send_facts(file, send_graphs, page) : HOIST_OK;
    send_races(file, sink);
    // Races add findings behind those of the opening.
    hoist_diag_sort(file->diag);
    hoist_findings_tree(file->diag, "findings", &all, sink);
    hoist_tree_end(sink);
    return hoist_page_end(page, hoist_diag_incomplete(file->diag) ? HOIST_NO_MEMORY : status);
}

// What `hoist info` has of the file.
static hoist_status send_summary(const page_file *file, hoist_page *page)
{
    begin(file, "info", false, page);
    hoist_tree_map(&page->sink, "");
    const hoist_status status = send_facts(file, send_info, page);
    hoist_tree_end(&page->sink);
    return hoist_page_end(page, status);
}

hoist_status page_file_send(const page_file *file, hoist_page *page)
{
    bool content = false;
    const hoist_status found = file->is_shown ? find_content(file, &content) : HOIST_OK;
    if (found != HOIST_OK) {
        end_part(file, found, NULL);
    }
    HOIST_TRY(send_first(file, content, page));
    if (!file->is_shown) {
        return HOIST_OK;
    }
    HOIST_TRY(send_summary(file, page));
    begin(file, "run", false, page);
    HOIST_TRY(hoist_page_end(page, page_run_send(file->job, page)));
    return content ? send_content(file, page) : HOIST_OK;
}
