#include "codec/flatbuffer_internal.h"

#define INTERNALS "FlatBuffers Internals"

// clang-format off
static const hoist_rule rules[FB_RULE_COUNT] = {
#define FB_RULE(number, level, text, why, from)                                                    \
    [FB_##number] = {.id = "FB-" #number, .severity = HOIST_##level, .judged = true,               \
                     .title = (text), .detail = (why), .source = (from)},
#include "codec/flatbuffer_rules.inc"
#undef FB_RULE
};
// clang-format on

const hoist_rule_set hoist_fb_rules = {"flatbuffers", "FlatBuffers", rules, FB_RULE_COUNT};

const hoist_rule *fb_rule_row(fb_rule rule)
{
    return &rules[rule];
}
