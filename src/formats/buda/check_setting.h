// formats/buda/check_setting.h - what can be said of an execute and its settings without running
// the program: rules 24 to 28, 30b, 34c and 106 (buda-netlist reference section 2.6).
#ifndef HOIST_SRC_FORMATS_BUDA_CHECK_SETTING_H
#define HOIST_SRC_FORMATS_BUDA_CHECK_SETTING_H

#include "formats/buda/program_report.h"

typedef struct buda_setting_check buda_setting_check;

// Memory for the whole module, from `index->arena`; NULL when out of memory. The findings of all
// executes of all programs go through one of these, because rules 30b and 106 compare them.
buda_setting_check *buda_setting_check_create(const buda_index *index, buda_reporter *reporter);
// Makes ready for `code`: which of its variables are params. False when out of memory.
bool buda_setting_check_begin(buda_setting_check *check, const buda_code *code);
// Checks one execute of that program.
void buda_setting_check_execute(buda_setting_check *check, const buda_step *step);
// Checks what all executes together say.
void buda_setting_check_end(buda_setting_check *check);

#endif // HOIST_SRC_FORMATS_BUDA_CHECK_SETTING_H
