#include "formats/neff/pack.h"

static const hoist_rule rules[NEFF_PACK_RULE_COUNT] = {
    [NEFF_PACK_MANIFEST] = {.id = "PACK-001",
                            .severity = HOIST_ERROR,
                            .judged = true,
                            .title = "hoist-neff.json is of the form that unpacking writes",
                            .detail = "It says what only the container knows. Without it a folder "
                                      "is packed with the defaults.",
                            .source = "ours"},
    [NEFF_PACK_NAMES] = {.id = "PACK-002",
                         .severity = HOIST_ERROR,
                         .judged = true,
                         .title = "names are safe below a folder, and no two are equal",
                         .detail = "Absolute names, '..', NUL and backslash could write outside of "
                                   "the folder that a file is unpacked to.",
                         .source = "ours"},
    [NEFF_PACK_ENTRY] = {.id = "PACK-003",
                         .severity = HOIST_WARNING,
                         .judged = true,
                         .title = "a folder that is packed has a neff.json",
                         .detail = "Loaders begin there.",
                         .source = "ours"},
    [NEFF_PACK_VALUES] = {.id = "PACK-004",
                          .severity = HOIST_ERROR,
                          .judged = true,
                          .title = "values fit the fields of the header",
                          .detail = "Names have up to 255 bytes, packagings are 1 and 2.",
                          .source = "ours"},
    [NEFF_PACK_TEXT] = {.id = "PACK-005",
                        .severity = HOIST_ERROR,
                        .judged = true,
                        .title = "instruction text is of the form that disassembling writes",
                        .detail = "A stream X.bin that a folder lacks is assembled from X.asm. "
                                  "`hoist disasm` shows every form.",
                        .source = "section 5.6"},
    [NEFF_PACK_STREAMS] = {.id = "PACK-006",
                           .severity = HOIST_ERROR,
                           .judged = true,
                           .title = "a stream and its text say the same",
                           .detail = "A folder with X.bin and X.asm is packed with both as they "
                                     "are. Delete X.bin after changing X.asm, and it is assembled "
                                     "afresh; or delete X.asm to keep X.bin. Of a text of another "
                                     "form nobody knows what it says.",
                           .source = "ours"},
    [NEFF_PACK_MEMBERS] = {.id = "PACK-007",
                           .severity = HOIST_WARNING,
                           .judged = true,
                           .title = "members that hoist-neff.json lists are in the folder",
                           .detail = "A member without a file is left out. Take it out of the "
                                     "list, too, when that is meant.",
                           .source = "ours"},
};

const hoist_rule_set hoist_neff_pack_rules = {"pack", "Folders that are packed", rules,
                                              NEFF_PACK_RULE_COUNT};
