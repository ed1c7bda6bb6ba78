// Any bytes through the reader; what it makes is visited, written and read again. A netlist without
// errors must come back as the same module, and be written the same the second time.
#include "base/alloc.h"
#include "base/buffer.h"
#include "base/diag.h"
#include "base/span.h"
#include "formats/buda/module.h"
#include "testing/fuzz.h"
#include "testing/trace.h"

enum { FUZZ_MEMORY = 256 << 20 };

// A netlist as module, events and text.
typedef struct netlist_forms {
    hoist_module *module; // NULL: not readable
    size_t errors;
    hoist_buffer events;
    hoist_buffer text;
} netlist_forms;

static void forms_init(netlist_forms *forms, hoist_allocator alloc, hoist_bytes bytes)
{
    *forms = (netlist_forms){.module = NULL};
    hoist_buffer_init(&forms->events, alloc);
    hoist_buffer_init(&forms->text, alloc);
    const hoist_read_options options = {.alloc = alloc};
    hoist_diag *diag = NULL;
    if (hoist_diag_create(alloc, NULL, &diag) != HOIST_OK) {
        return;
    }
    const hoist_status status = hoist_buda_format.read(bytes, &options, diag, &forms->module);
    forms->errors = hoist_diag_count(diag, HOIST_ERROR);
    fuzz_require((status == HOIST_OK) == (forms->module != NULL));
    fuzz_require(status != HOIST_INVALID || forms->errors > 0);
    hoist_diag_destroy(diag);
    if (!forms->module) {
        return;
    }
    hoist_tree_sink sink = hoist_trace_sink(&forms->events);
    const hoist_status visited = hoist_buda_format.visit(forms->module, NULL, &sink);
    const hoist_status written = hoist_buda_format.write(forms->module, &forms->text);
    fuzz_require(visited == HOIST_OK || visited == HOIST_NO_MEMORY);
    fuzz_require(written == HOIST_OK || written == HOIST_NO_MEMORY);
}

static void forms_deinit(netlist_forms *forms)
{
    hoist_buda_format.destroy(forms->module);
    hoist_buffer_deinit(&forms->events);
    hoist_buffer_deinit(&forms->text);
}

static bool is_complete(const netlist_forms *forms, const hoist_budget *budget)
{
    return forms->module && !forms->events.failed && !forms->text.failed && !budget->exceeded;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hoist_budget budget = {.parent = hoist_allocator_system(), .limit = FUZZ_MEMORY};
    const hoist_allocator alloc = hoist_budget_allocator(&budget);
    netlist_forms first;
    forms_init(&first, alloc, (hoist_bytes){data, size});
    if (is_complete(&first, &budget) && first.errors == 0) {
        netlist_forms second;
        forms_init(&second, alloc, hoist_buffer_bytes(&first.text));
        if (!budget.exceeded) {
            fuzz_require(second.module && second.errors == 0);
            fuzz_require(hoist_str_equal(hoist_buffer_text(&first.events),
                                         hoist_buffer_text(&second.events)));
            fuzz_require(
                hoist_str_equal(hoist_buffer_text(&first.text), hoist_buffer_text(&second.text)));
        }
        forms_deinit(&second);
    }
    forms_deinit(&first);
    fuzz_require(budget.used == 0);
    return 0;
}
