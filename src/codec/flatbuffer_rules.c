// The rule set of FlatBuffers, FB-001 ..., from flatbuffer_rules.inc. flatbuffer_read.c reports by
// these rows.
#include "base/rules.h"
#include "codec/flatbuffer_internal.h"

#define INTERNALS "FlatBuffers Internals"

static const hoist_rule rules[] = {
#define FB_RULE(number, ...) HOIST_RULE("FB-" #number, __VA_ARGS__),
#include "codec/flatbuffer_rules.inc"
};

const hoist_rule_set hoist_fb_rules = {"flatbuffers", "FlatBuffers", rules, FB_RULE_COUNT};
