// JUnit reports of checked files, as the schema of Jenkins' xUnit plugin (junit-10.xsd) has them.
// Input: file after file with its findings; output: XML, which is written when all are counted.
#include "report/junit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/span.h"
#include "base/utf8.h"
#include "report/findings.h"

void hoist_junit_init(hoist_junit *junit, hoist_allocator alloc)
{
    *junit = (hoist_junit){.tests = 0};
    hoist_buffer_init(&junit->cases, alloc);
}

void hoist_junit_deinit(hoist_junit *junit)
{
    hoist_buffer_deinit(&junit->cases);
}

// U+FFFE and U+FFFF, which XML has not.
static bool is_no_character(hoist_str text, size_t at)
{
    return text.size - at >= 3 && memcmp(text.data + at, "\xef\xbf", 2) == 0 &&
           ((uint8_t)text.data[at + 2] & 0xfe) == 0xbe;
}

// Text or a value in quotes; what XML or a terminal would take for something else is \xNN.
static void add_text(hoist_buffer *out, hoist_str text)
{
    static const char *const entities[] = {
        ['<'] = "&lt;", ['>'] = "&gt;", ['&'] = "&amp;", ['"'] = "&quot;"};
    for (size_t i = 0; i < text.size;) {
        const uint8_t c = (uint8_t)text.data[i];
        const char *const entity = c < HOIST_COUNT_OF(entities) ? entities[c] : NULL;
        const size_t shown = is_no_character(text, i) ? 0 : hoist_utf8_shown_size(text, i);
        if (entity) {
            hoist_buffer_c(out, entity);
        } else if (shown) {
            hoist_buffer_str(out, hoist_str_slice(text, i, shown));
        } else {
            hoist_buffer_format(out, "\\x%02x", (unsigned)c);
        }
        i += shown ? shown : 1;
    }
}

// File, member and place, as people write them.
static void add_place(hoist_buffer *out, const hoist_finding *f)
{
    add_text(out, f->file);
    if (f->member.size) {
        hoist_buffer_char(out, '!');
        add_text(out, f->member);
    }
    if (f->loc.kind == HOIST_LOC_TEXT) {
        hoist_buffer_format(out, ":%" PRIu32 ":%" PRIu32, f->loc.pos.line, f->loc.pos.column);
    } else if (f->loc.kind == HOIST_LOC_BYTE) {
        hoist_buffer_format(out, ":+0x%" PRIx64, f->loc.offset);
    }
}

// `element`: "failure" or "error".
static void add_failure(hoist_buffer *out, const char *element, const hoist_finding *f)
{
    hoist_buffer_format(out, "      <%s type=\"%s\" message=\"", element, f->rule->id);
    add_text(out, f->message);
    hoist_buffer_c(out, "\">");
    add_place(out, f);
    if (f->object.size) {
        hoist_buffer_c(out, " (");
        add_text(out, f->object);
        hoist_buffer_char(out, ')');
    }
    hoist_buffer_format(out, "</%s>\n", element);
}

// What makes the answer a no.
static bool is_failure(const hoist_junit_file *file, const hoist_finding *f)
{
    return f->severity == HOIST_ERROR || (f->severity == HOIST_WARNING && file->fails_by_warning);
}

static void add_failures(hoist_buffer *out, const hoist_junit_file *file)
{
    const char *const element = file->answer == HOIST_JUNIT_BROKEN ? "error" : "failure";
    size_t count = 0;
    for (size_t i = 0; i < hoist_diag_kept(file->diag); i++) {
        const hoist_finding *const f = hoist_diag_at(file->diag, i);
        if (is_failure(file, f)) {
            add_failure(out, element, f);
            count++;
        }
    }
    // A file that failed has one failure at least, though nothing was found in it.
    if (count == 0) {
        hoist_buffer_format(out, "      <%s message=\"%s\"/>\n", element,
                            file->answer == HOIST_JUNIT_BROKEN ? "the check is incomplete"
                                                               : "the orders are unknown");
    }
}

// What fails nothing, a line each.
static void add_output(hoist_buffer *out, const hoist_junit_file *file)
{
    static const char *const words[] = {
        [HOIST_ERROR] = "error", [HOIST_WARNING] = "warning", [HOIST_NOTE] = "note"};
    size_t count = 0;
    for (size_t i = 0; i < hoist_diag_kept(file->diag); i++) {
        const hoist_finding *const f = hoist_diag_at(file->diag, i);
        if (is_failure(file, f) || (file->quiet && f->severity == HOIST_NOTE)) {
            continue;
        }
        // The element begins with the first line that there is.
        hoist_buffer_c(out, count++ ? "\n" : "      <system-out>");
        add_place(out, f);
        hoist_buffer_format(out, ": %s: ", words[f->severity]);
        add_text(out, f->message);
        hoist_buffer_format(out, " [%s]", f->rule->id);
    }
    hoist_buffer_c(out, count ? "</system-out>\n" : "");
}

void hoist_junit_add(hoist_junit *junit, const hoist_junit_file *file)
{
    hoist_buffer *const out = &junit->cases;
    const size_t begin = out->size;
    junit->tests++;
    junit->failures += file->answer == HOIST_JUNIT_FAILED;
    junit->errors += file->answer == HOIST_JUNIT_BROKEN;
    hoist_buffer_c(out, "    <testcase classname=\"hoist");
    hoist_buffer_format(out, "%s%s\" name=\"", file->format ? "." : "",
                        file->format ? file->format : "");
    add_text(out, file->path);
    hoist_buffer_c(out, "\">\n");
    // When nothing follows, the element is closed at once.
    const size_t empty = out->size;
    if (file->answer != HOIST_JUNIT_PASSED) {
        add_failures(out, file);
    }
    add_output(out, file);
    if (out->size == empty && empty > begin + 2) {
        out->size -= 2; // an element without content
        hoist_buffer_c(out, "/>\n");
    } else {
        hoist_buffer_c(out, "    </testcase>\n");
    }
}

void hoist_junit_write(const hoist_junit *junit, hoist_buffer *out)
{
    char counts[128];
    (void)snprintf(counts, sizeof(counts),
                   "tests=\"%" PRIu64 "\" failures=\"%" PRIu64 "\" errors=\"%" PRIu64 "\"",
                   junit->tests, junit->failures, junit->errors);
    hoist_buffer_c(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    hoist_buffer_format(out, "<testsuites %s>\n", counts);
    hoist_buffer_format(out, "  <testsuite name=\"hoist check\" %s>\n", counts);
    hoist_buffer_str(out, hoist_buffer_text(&junit->cases));
    hoist_buffer_c(out, "  </testsuite>\n</testsuites>\n");
    out->failed = out->failed || junit->cases.failed;
}
