// formats/buda/netlist_test.h - for tests: netlists as text, read and judged, one place changed.
#ifndef HOIST_SRC_FORMATS_BUDA_NETLIST_TEST_H
#define HOIST_SRC_FORMATS_BUDA_NETLIST_TEST_H

#include <string.h>

#include "formats/buda/check.h"
#include "testing/test.h"

// `base` with the first `find` replaced by `put`; `base` itself when `find` is NULL. A `find` that
// does not occur fails the test.
static inline hoist_bytes buda_test_patched(hoist_test *t, const char *base, const char *find,
                                            const char *put)
{
    const char *at = find ? strstr(base, find) : NULL;
    if (!at) {
        HOIST_EXPECT(t, find == NULL);
        return (hoist_bytes){(const uint8_t *)base, strlen(base)};
    }
    const hoist_str text =
        hoist_arena_format(&t->arena, "%.*s%s%s", (int)(at - base), base, put, at + strlen(find));
    return (hoist_bytes){(const uint8_t *)text.data, text.size};
}

// Reads `text`; NULL when no module came of it. Freed with hoist_buda_format.destroy.
static inline const hoist_buda_module *buda_test_read(hoist_test *t, hoist_bytes text)
{
    const hoist_read_options options = {.alloc = hoist_allocator_system()};
    hoist_module *module = NULL;
    const hoist_status status = hoist_buda_format.read(text, &options, t->diag, &module);
    HOIST_EXPECT_EQ(t, status == HOIST_OK, module != NULL);
    return (const hoist_buda_module *)module;
}

static inline void buda_test_destroy(const hoist_buda_module *module)
{
    union {
        const hoist_buda_module *from;
        hoist_module *to;
    } cast = {.from = module};
    hoist_buda_format.destroy(cast.to);
}

// True when a finding of rule `id` at a place says `says` (NULL: anything).
static inline bool buda_test_has(const hoist_diag *diag, const char *id, uint32_t line,
                                 uint32_t column, const char *says)
{
    for (size_t i = 0; i < hoist_diag_kept(diag); i++) {
        const hoist_finding *finding = hoist_diag_at(diag, i);
        const hoist_pos pos = finding->loc.pos;
        if (strcmp(finding->rule->id, id) == 0 && pos.line == line && pos.column == column &&
            (!says || hoist_str_contains(finding->message, says))) {
            return true;
        }
    }
    return false;
}

// Expects such a finding.
static inline void buda_test_expect(hoist_test *t, const char *id, uint32_t line, uint32_t column,
                                    const char *says)
{
    if (!buda_test_has(t->diag, id, line, column, says)) {
        const hoist_str all = hoist_test_findings(t);
        hoist_test_fail(t, __FILE__, __LINE__, "wanted %s at %u:%u saying '%s', got\n%.*s", id,
                        line, column, says ? says : "", HOIST_STR_ARGS(all));
    }
}

#endif // HOIST_SRC_FORMATS_BUDA_NETLIST_TEST_H
