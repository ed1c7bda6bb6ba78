// hoist/hoist.h - all public headers. Pages that they name, docs/rules.md and others, and examples
// are installed in share/doc/hoist.
#ifndef HOIST_HOIST_H
#define HOIST_HOIST_H

#include "hoist/base.h"
#include "hoist/comm.h"
#include "hoist/easy.h"
#include "hoist/exchange.h"
#include "hoist/formats.h"
#include "hoist/load.h"
#include "hoist/lower.h"
#include "hoist/neff.h"
#include "hoist/program.h"
#include "hoist/progress.h"
#include "hoist/runtime.h"
#include "hoist/tensor.h"

#endif // HOIST_HOIST_H
