// An HTML page around documents. Input: a template with marks, and tree events. Output: the page;
// each document is a <script> of no type that a browser runs, with the base64 (RFC 4648) of a gzip
// member. The policy names script and style by their hashes, as CSP Level 2 has it.
#include "report/page.h"

#include "base/span.h"
#include "base/tree.h"
#include "codec/gzip.h"
#include "codec/hash.h"

enum { LEVEL = 3 }; // of compression: above it time grows much faster than pages shrink

// Keeps the first failure; later parts are still written, so that marks and elements match.
static void fail(hoist_page *page, hoist_status status)
{
    page->status = page->status == HOIST_OK ? status : page->status;
}

// To the output, or to memory where there is none.
static void put(hoist_page *page, hoist_str text)
{
    if (page->out) {
        hoist_output_str(page->out, text);
    } else {
        hoist_buffer_str(&page->text, text);
    }
}

// Base64 --------------------------------------------------------------------------------------

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// At most three bytes as four digits, filled up with '='.
static void encode(const uint8_t *bytes, size_t count, char out[4])
{
    const uint32_t b = count > 1 ? bytes[1] : 0;
    const uint32_t c = count > 2 ? bytes[2] : 0;
    // 24 bits make four digits of six.
    const uint32_t bits = (uint32_t)bytes[0] << 16 | b << 8 | c;
    for (size_t i = 0; i < 4; i++) {
        out[i] = i <= count ? digits[bits >> (18 - 6 * i) & 63] : '=';
    }
}

static void write_base64(hoist_page *page, hoist_bytes bytes)
{
    // A multiple of four: digits of a group are never apart.
    char text[4096];
    size_t used = 0;
    for (size_t i = 0; i < bytes.size; i += 3) {
        encode(bytes.data + i, bytes.size - i < 3 ? bytes.size - i : 3, text + used);
        used += 4;
        if (used == sizeof(text)) {
            put(page, (hoist_str){text, used});
            used = 0;
        }
    }
    put(page, (hoist_str){text, used});
}

// The template ------------------------------------------------------------------------------

// Writes the template up to `mark`, and goes on behind it.
static void write_to(hoist_page *page, const char *mark)
{
    const hoist_str text = page->parts.text;
    const hoist_str name = hoist_str_from(mark);
    for (size_t at = page->at; at + name.size <= text.size; at++) {
        if (hoist_str_equal(hoist_str_slice(text, at, name.size), name)) {
            put(page, hoist_str_slice(text, page->at, at - page->at));
            page->at = at + name.size;
            return;
        }
    }
    fail(page, HOIST_INVALID);
}

// A source expression of the policy: the hash of exactly the text between the tags.
static void write_hash(hoist_page *page, hoist_str text)
{
    uint8_t hash[HOIST_HASH_MAX_SIZE];
    const hoist_bytes bytes = {(const uint8_t *)text.data, text.size};
    fail(page, hoist_hash(HOIST_HASH_SHA256, bytes, NULL, hash));
    put(page, HOIST_STR("'sha256-"));
    write_base64(page, (hoist_bytes){hash, hoist_hash_size(HOIST_HASH_SHA256)});
    put(page, HOIST_STR("'"));
}

static void write_policy(hoist_page *page)
{
    // Nothing from elsewhere, no forms, no other base: whatever is in a file, the page sends
    // nothing.
    put(page, HOIST_STR("default-src 'none'; script-src "));
    write_hash(page, page->parts.script);
    put(page, HOIST_STR("; style-src "));
    write_hash(page, page->parts.style);
    put(page, HOIST_STR("; img-src data: blob:; base-uri 'none'; form-action 'none'"));
}

void hoist_page_open(hoist_page *page, hoist_allocator alloc, hoist_output *out,
                     const hoist_page_parts *parts, hoist_deadline *deadline)
{
    *page = (hoist_page){.parts = *parts, .alloc = alloc, .out = out, .deadline = deadline};
    hoist_buffer_init(&page->json, alloc);
    hoist_buffer_init(&page->text, alloc);
    write_to(page, "{{policy}}");
    write_policy(page);
    write_to(page, "{{style}}");
    put(page, parts->style);
    write_to(page, "{{script}}");
    put(page, parts->script);
    write_to(page, "{{data}}");
}

// Documents -----------------------------------------------------------------------------------

static hoist_status forward(void *self, const hoist_tree_event *event)
{
    hoist_page *page = self;
    if (!hoist_document_skips(&page->skipped, true, event)) {
        hoist_tree_send(&page->inner, event);
    }
    return page->inner.status;
}

void hoist_page_begin(hoist_page *page, const char *id, bool positions)
{
    put(page, HOIST_STR("<script type=\"application/gzip\" id=\""));
    put(page, hoist_str_from(id));
    put(page, HOIST_STR("\">"));
    hoist_json_writer_init(&page->writer, &page->json, false, positions);
    page->inner = hoist_json_writer_sink(&page->writer);
    page->skipped = 0;
    page->sink = (hoist_tree_sink){.self = page, .event = forward, .deadline = page->deadline};
}

// Compressed and written; the text is forgotten.
static hoist_status send(hoist_page *page)
{
    hoist_buffer packed;
    hoist_buffer_init(&packed, page->alloc);
    const hoist_status status =
        hoist_gzip_write(hoist_buffer_bytes(&page->json), LEVEL, page->deadline, &packed);
    if (status == HOIST_OK) {
        write_base64(page, hoist_buffer_bytes(&packed));
    }
    hoist_buffer_deinit(&packed);
    return status;
}

hoist_status hoist_page_end(hoist_page *page, hoist_status produced)
{
    fail(page, produced);
    fail(page, page->sink.status);
    fail(page, page->json.failed ? HOIST_NO_MEMORY : HOIST_OK);
    fail(page, page->status == HOIST_OK && !page->writer.done ? HOIST_INTERNAL : HOIST_OK);
    fail(page, page->status == HOIST_OK ? send(page) : HOIST_OK);
    hoist_json_writer_deinit(&page->writer);
    // Freed after each document, which may be very large.
    hoist_buffer_deinit(&page->json);
    hoist_buffer_init(&page->json, page->alloc);
    put(page, HOIST_STR("</script>\n"));
    return page->status;
}

hoist_status hoist_page_close(hoist_page *page)
{
    const hoist_str text = page->parts.text;
    put(page, hoist_str_slice(text, page->at, text.size - page->at));
    hoist_buffer_deinit(&page->json);
    return page->status;
}

hoist_status hoist_page_take(hoist_page *page, hoist_mut_bytes *out_bytes)
{
    *out_bytes = (hoist_mut_bytes){NULL, 0};
    hoist_status status = hoist_page_close(page);
    if (status == HOIST_OK) {
        status = hoist_buffer_take(&page->text, out_bytes);
    }
    hoist_buffer_deinit(&page->text);
    return status;
}
