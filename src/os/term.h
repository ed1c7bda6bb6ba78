// os/term.h - terminals.
#ifndef HOIST_SRC_OS_TERM_H
#define HOIST_SRC_OS_TERM_H

#include "hoist/base.h"

bool hoist_term_is_tty(int fd);
// Columns of the terminal `fd`; 0 when it is none or does not say.
size_t hoist_term_width(int fd);

#endif // HOIST_SRC_OS_TERM_H
