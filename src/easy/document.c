// Findings and documents as bytes: what the command prints, by the same code (report/).
#include "report/document.h"

#include "hoist/easy.h"

#include "base/alloc.h"
#include "base/diag.h"
#include "load/job.h"
#include "report/findings.h"

// For bindings: who got bytes frees them with the allocator that it gave.
void hoist_easy_free(hoist_mut_bytes bytes, hoist_allocator alloc)
{
    hoist_free(alloc, bytes.data, bytes.size);
}

// In the order of the command's output, which sorts findings by place.
hoist_status hoist_diag_text(hoist_diag *diag, hoist_allocator alloc, hoist_mut_bytes *out_text)
{
    const hoist_findings_options options = {.color = false};
    hoist_buffer text;
    *out_text = (hoist_mut_bytes){NULL, 0};
    hoist_buffer_init(&text, alloc);
    if (diag) { // NULL: no findings
        hoist_diag_sort(diag);
        hoist_findings_text(diag, &options, &text);
    }
    const hoist_status status = hoist_buffer_take(&text, out_text);
    hoist_buffer_deinit(&text);
    return status;
}

hoist_status hoist_finding_text(const hoist_finding *finding, hoist_allocator alloc,
                                hoist_mut_bytes *out_text)
{
    hoist_diag *one = NULL;
    *out_text = (hoist_mut_bytes){NULL, 0};
    // A collector of its own for one finding: the text is that of a list of one.
    HOIST_TRY(hoist_diag_create(alloc, NULL, &one));
    hoist_diag_add(one, finding);
    const hoist_status status =
        hoist_diag_incomplete(one) ? HOIST_NO_MEMORY : hoist_diag_text(one, alloc, out_text);
    hoist_diag_destroy(one);
    return status;
}

enum { WIDTH = 80 }; // columns of a drawing

// Documents --------------------------------------------------------------------------------------

typedef struct text_taker {
    hoist_buffer *out;
} text_taker;

// Pieces of any length, appended in order.
static hoist_status take_text(void *self, hoist_str piece)
{
    hoist_buffer *const out = ((text_taker *)self)->out;
    hoist_buffer_str(out, piece);
    return out->failed ? HOIST_NO_MEMORY : HOIST_OK;
}

static hoist_status dump_text(const hoist_job *job, hoist_allocator alloc,
                              hoist_mut_bytes *out_bytes)
{
    hoist_buffer text;
    hoist_buffer_init(&text, alloc);
    text_taker taker = {&text};
    const hoist_piece_sink sink = {&taker, take_text};
    hoist_status status = hoist_job_text(job, &sink);
    if (status == HOIST_OK) {
        status = hoist_buffer_take(&text, out_bytes);
    }
    hoist_buffer_deinit(&text);
    return status;
}

// The drawing, as bytes of another allocator than the job's: the caller frees what it asked for.
static hoist_status graph_text(const hoist_job *job, hoist_allocator alloc, hoist_diag *diag,
                               hoist_mut_bytes *out_bytes)
{
    hoist_mut_bytes drawn = {NULL, 0};
    hoist_buffer text;
    HOIST_TRY(hoist_job_draw(job, WIDTH, diag, &drawn));
    hoist_buffer_init(&text, alloc);
    hoist_buffer_add(&text, (hoist_bytes){drawn.data, drawn.size});
    hoist_job_free_text(job, drawn);
    const hoist_status status = hoist_buffer_take(&text, out_bytes);
    hoist_buffer_deinit(&text);
    return status;
}

// The members that documents of the command begin with, after its name.
static void send_head(const hoist_job *job, hoist_tree_sink *sink)
{
    hoist_tree_str(sink, "file", job->name);
    hoist_tree_c(sink, "format", hoist_job_format(job));
}

// Sends the document whose outer map is open after it: hoist_job_document() ends that.
static hoist_status send(const hoist_job *job, hoist_document_kind kind, hoist_diag *diag,
                         hoist_document *doc)
{
    // Only these begin with the head of a command.
    static const char *const commands[] = {
        [HOIST_DOCUMENT_DUMP] = "dump", [HOIST_DOCUMENT_GRAPH] = "graph"};
    uint64_t gaps = 0;
    switch (kind) {
    case HOIST_DOCUMENT_DUMP:
        hoist_document_head(doc, commands[kind]);
        send_head(job, &doc->sink);
        return hoist_job_dump(job, "module", true, &doc->sink);
    case HOIST_DOCUMENT_GRAPH:
        hoist_document_head(doc, commands[kind]);
        send_head(job, &doc->sink);
        return hoist_job_graph(job, diag, &doc->sink);
    case HOIST_DOCUMENT_LAYERS:
        hoist_tree_map(&doc->sink, "");
        send_head(job, &doc->sink);
        return hoist_job_layers(job, diag, &doc->sink, &gaps);
    default: // HOIST_DOCUMENT_INFO
        hoist_tree_map(&doc->sink, "");
        hoist_tree_str(&doc->sink, "file", job->name);
        return hoist_job_info(job, false, diag, &doc->sink);
    }
}

hoist_status hoist_job_document(const hoist_job *job, hoist_document_kind kind, bool json,
                                hoist_allocator alloc, hoist_diag *diag, hoist_mut_bytes *out_bytes)
{
    *out_bytes = (hoist_mut_bytes){NULL, 0};
    // A value beyond the enum may come from a binding.
    if ((unsigned)kind > HOIST_DOCUMENT_LAYERS || !hoist_job_can_show(job)) {
        return HOIST_INVALID;
    }
    if (!json && kind == HOIST_DOCUMENT_DUMP) {
        return dump_text(job, alloc, out_bytes);
    }
    if (!json && kind == HOIST_DOCUMENT_GRAPH) {
        return graph_text(job, alloc, diag, out_bytes);
    }
    // Positions are of the dump: places in the file, for editors.
    const hoist_document_style style = {.json = json, .positions = kind == HOIST_DOCUMENT_DUMP};
    hoist_document doc;
    hoist_document_open(&doc, alloc, NULL, &style);
    const hoist_status status = send(job, kind, diag, &doc);
    // Also after a failure: every map that was opened is closed before the document goes.
    hoist_tree_end(&doc.sink);
    if (status != HOIST_OK) {
        // Memory that ran out on the way explains the failure better than the status of the part.
        const hoist_status dropped = hoist_document_abandon(&doc);
        return dropped == HOIST_NO_MEMORY ? dropped : status;
    }
    return hoist_document_take(&doc, out_bytes);
}
