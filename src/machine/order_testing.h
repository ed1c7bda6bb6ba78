// machine/order_testing.h - for tests: the verdict on a program's orders.
#ifndef HOIST_SRC_MACHINE_ORDER_TESTING_H
#define HOIST_SRC_MACHINE_ORDER_TESTING_H

#include "machine/order.h"
#include "testing/test.h"

// That on an entry by itself, without parameters; what is found goes to the test's diag.
hoist_verdict order_verdict(hoist_test *t, const hoist_program *program, hoist_ref entry);

#endif // HOIST_SRC_MACHINE_ORDER_TESTING_H
