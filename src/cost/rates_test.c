// The table of rates: its order, its devices and links, and that each row has a source.
#include <string.h>

#include "base/span.h"
#include "cost/rates.h"
#include "testing/test.h"

static const struct {
    const char *name;
    const char *device;
    const char *by;
    hoist_rate_kind kind;
    double typical; // 0: no row
} found[] = {
    {"a link of its own", "edgetpu", "usb2", HOIST_RATE_LINK, 28e6},
    {"another link", "edgetpu", "usb3", HOIST_RATE_LINK, 250e6},
    {"of all links", "edgetpu", "pcie", HOIST_RATE_CLOCK, 480e6},
    {"of all links without one", "edgetpu", NULL, HOIST_RATE_CLOCK, 480e6},
    {"no link is given", "edgetpu", NULL, HOIST_RATE_LINK, 0},
    {"no such link", "edgetpu", "usb4", HOIST_RATE_LINK, 0},
    {"no such device", "edge", "usb3", HOIST_RATE_LINK, 0},
    {"no such rate", "edgetpu", "usb3", HOIST_RATE_QUEUE, 0},
    {"a level", "cpu", "x86-64-v3", HOIST_RATE_OPERATIONS, 32},
};

HOIST_TEST_TABLE(rates_are_found, found)
{
    const hoist_rate *const rate = hoist_rate_find(hoist_str_from(row->device), row->by, row->kind);
    HOIST_EXPECT_EQ(t, rate != NULL, row->typical > 0);
    HOIST_EXPECT(t, !rate || rate->value[HOIST_CASE_TYPICAL] == row->typical);
}

// Rates fall from the best case to the worst, overheads rise; where one value is not public, only
// the best is there.
HOIST_TEST(rows_are_in_order)
{
    size_t count = 0;
    for (const hoist_rate *rate; (rate = hoist_rate_at(count)); count++) {
        const double sign = rate->kind == HOIST_RATE_REQUEST ? 1 : -1;
        const double *const v = rate->value;
        HOIST_EXPECT(t, v[HOIST_CASE_TYPICAL] == 0 ||
                            (sign * v[0] <= sign * v[1] && sign * v[1] <= sign * v[2]));
        HOIST_EXPECT(t, v[HOIST_CASE_TYPICAL] > 0 || v[HOIST_CASE_HIGH] == 0);
        HOIST_EXPECT(t, rate->kind == HOIST_RATE_REQUEST || v[HOIST_CASE_LOW] > 0);
        HOIST_EXPECT(t, strlen(rate->source) > 10);
        HOIST_EXPECT(t, strlen(hoist_rate_name(rate->kind)) > 0 &&
                            strlen(hoist_rate_unit(rate->kind)) > 0);
        // Each is found, so no row hides another.
        HOIST_EXPECT(t,
                     hoist_rate_find(hoist_str_from(rate->device), rate->by, rate->kind) == rate);
    }
    HOIST_EXPECT(t, count > 20);
}

HOIST_TEST(links_are_known)
{
    HOIST_EXPECT(t, hoist_rate_is_by(HOIST_STR("edgetpu"), "usb2"));
    HOIST_EXPECT(t, hoist_rate_is_by(HOIST_STR("edgetpu"), "pcie"));
    HOIST_EXPECT(t, !hoist_rate_is_by(HOIST_STR("edgetpu"), "usb"));
    HOIST_EXPECT(t, !hoist_rate_is_by(HOIST_STR("trn1"), "usb3"));
    HOIST_EXPECT(t, !hoist_rate_is_by(HOIST_STR("trn1"), NULL));
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(rates_are_found), HOIST_TEST_ROW(rows_are_in_order),
                HOIST_TEST_ROW(links_are_known))
