// testing/drawing.h - modules as `hoist graph` shows them, without a job.
#ifndef HOIST_SRC_TESTING_DRAWING_H
#define HOIST_SRC_TESTING_DRAWING_H

#include "formats/format.h"

// As text, with memory of the module's allocator; HOIST_NO_MEMORY also when `out` failed.
hoist_status hoist_drawing_text(const hoist_format *format, const hoist_module *module,
                                const hoist_check_options *options, hoist_diag *diag, size_t width,
                                hoist_buffer *out);
// As tree events.
hoist_status hoist_drawing_tree(const hoist_format *format, const hoist_module *module,
                                const hoist_check_options *options, hoist_diag *diag,
                                hoist_tree_sink *sink);

#endif // HOIST_SRC_TESTING_DRAWING_H
