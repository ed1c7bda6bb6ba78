// report/content.h - the digest of what a document says: equal for all that `hoist diff` finds
// equal by fields.
//
// Maps count without the order of their members, lists that a rule names without the order of their
// items, and numbers by their values. docs/scan.md has the bytes that are hashed.
#ifndef HOIST_SRC_REPORT_CONTENT_H
#define HOIST_SRC_REPORT_CONTENT_H

#include "hoist/formats.h"

#include "base/buffer.h"
#include "base/tree.h"
#include "codec/hash.h"

typedef struct hoist_content {
    hoist_allocator alloc;
    const hoist_diff_rule *rules;    // borrowed; as of hoist_diff_init
    hoist_deadline *deadline;        // borrowed; NULL: none
    hoist_buffer bytes;              // members of all open maps and lists, and the root at the end
    struct hoist_content_open *open; // owned: maps and lists that are not at their end
    size_t depth;
    size_t open_capacity;
    hoist_bytes *members; // owned: of what is sorted
    size_t member_capacity;
    size_t skipped; // depth inside of something that does not count
} hoist_content;

// `rules` ends with a row without path; NULL: none. Free with hoist_content_deinit.
void hoist_content_init(hoist_content *content, const hoist_diff_rule *rules,
                        hoist_deadline *deadline, hoist_allocator alloc);
void hoist_content_deinit(hoist_content *content);
// Takes one document. Statuses as of hoist_diff_document(), and of hoist_hash().
hoist_tree_sink hoist_content_sink(hoist_content *content);
// After the document, the digest of it as one of `format`. HOIST_OK or as of hoist_hash().
HOIST_NODISCARD hoist_status hoist_content_text(const hoist_content *content, const char *format,
                                                char out[HOIST_HASH_TEXT_SIZE]);

#endif // HOIST_SRC_REPORT_CONTENT_H
