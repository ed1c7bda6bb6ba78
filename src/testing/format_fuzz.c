// Files of formats that are text, read and written again, for fuzz targets.
#include "testing/format_fuzz.h"

#include "base/alloc.h"
#include "base/diag.h"
#include "base/span.h"
#include "testing/fuzz.h"
#include "testing/trace.h"

enum { FUZZ_MEMORY = 256 << 20 };

// A file as module, events and text.
typedef struct file_forms {
    hoist_module *module; // NULL: not readable
    size_t errors;
    hoist_buffer events;
    hoist_buffer text;
} file_forms;

static bool was_made(hoist_status status)
{
    return status == HOIST_OK || status == HOIST_NO_MEMORY;
}

static void forms_init(file_forms *forms, const hoist_format *format, const char *dialect,
                       hoist_allocator alloc, hoist_bytes bytes)
{
    *forms = (file_forms){.module = NULL};
    hoist_buffer_init(&forms->events, alloc);
    hoist_buffer_init(&forms->text, alloc);
    const hoist_read_options options = {.alloc = alloc, .keep = true};
    hoist_diag *diag = NULL;
    if (hoist_diag_create(alloc, NULL, &diag) != HOIST_OK) {
        return;
    }
    const hoist_status status = format->read(bytes, &options, diag, &forms->module);
    forms->errors = hoist_diag_count(diag, HOIST_ERROR);
    fuzz_require((status == HOIST_OK) == (forms->module != NULL));
    fuzz_require(status != HOIST_INVALID || forms->errors > 0);
    hoist_diag_destroy(diag);
    if (!forms->module) {
        return;
    }
    hoist_tree_sink sink = hoist_trace_sink(&forms->events);
    fuzz_require(was_made(format->visit(forms->module, NULL, &sink)));
    fuzz_require(was_made(dialect ? format->convert(forms->module, dialect, &forms->text)
                                  : format->write(forms->module, &forms->text)));
}

static void forms_deinit(file_forms *forms, const hoist_format *format)
{
    format->destroy(forms->module);
    hoist_buffer_deinit(&forms->events);
    hoist_buffer_deinit(&forms->text);
}

static bool is_complete(const file_forms *forms, const hoist_budget *budget)
{
    return forms->module && !forms->events.failed && !forms->text.failed && !budget->exceeded;
}

// What was written in a dialect (NULL: the file's own) is read and written once more.
static void require_same(const hoist_format *format, const char *dialect, hoist_bytes bytes)
{
    hoist_budget budget = {.parent = hoist_allocator_system(), .limit = FUZZ_MEMORY};
    const hoist_allocator alloc = hoist_budget_allocator(&budget);
    file_forms first;
    forms_init(&first, format, dialect, alloc, bytes);
    if (is_complete(&first, &budget) && first.errors == 0) {
        file_forms second;
        forms_init(&second, format, dialect, alloc, hoist_buffer_bytes(&first.text));
        if (!budget.exceeded) {
            fuzz_require(second.module && second.errors == 0);
            fuzz_require(dialect || hoist_str_equal(hoist_buffer_text(&first.events),
                                                    hoist_buffer_text(&second.events)));
            fuzz_require(
                hoist_str_equal(hoist_buffer_text(&first.text), hoist_buffer_text(&second.text)));
        }
        forms_deinit(&second, format);
    }
    forms_deinit(&first, format);
    fuzz_require(budget.used == 0);
}

int fuzz_text_format(const hoist_format *format, const uint8_t *data, size_t size)
{
    const hoist_bytes bytes = {data, size};
    require_same(format, NULL, bytes);
    for (size_t i = 0; format->dialects && format->dialects[i]; i++) {
        require_same(format, format->dialects[i], bytes);
    }
    return 0;
}
