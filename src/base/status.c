// Names of statuses and severities, and the version of the library (hoist/base.h).
#include "hoist/base.h"

const char *hoist_version(void)
{
    return HOIST_VERSION_TEXT;
}

static const char *const status_names[] = {
    [HOIST_OK] = "ok",
    [HOIST_INVALID] = "invalid",
    [HOIST_TRUNCATED] = "truncated",
    [HOIST_UNSUPPORTED] = "unsupported",
    [HOIST_LIMIT] = "limit exceeded",
    [HOIST_NO_MEMORY] = "no memory",
    [HOIST_NOT_FOUND] = "not found",
    [HOIST_BUSY] = "busy",
    [HOIST_CANCELLED] = "cancelled",
    [HOIST_IO] = "input/output error",
    [HOIST_INTERNAL] = "internal error",
};

const char *hoist_status_name(hoist_status status)
{
    const size_t index = (size_t)status;
    return index < sizeof(status_names) / sizeof(status_names[0]) ? status_names[index] : "unknown";
}

const char *hoist_severity_name(hoist_severity severity)
{
    static const char *const names[] = {"note", "warning", "error"};
    return names[severity];
}

const char *hoist_refuser_name(hoist_refuser refuser)
{
    switch (refuser) {
    case HOIST_REFUSER_NONE:
        return "none";
    case HOIST_REFUSER_PARSER:
        return "parser";
    case HOIST_REFUSER_GOLDEN:
        return "golden model";
    case HOIST_REFUSER_COMPILER:
        return "compiler";
    case HOIST_REFUSER_RUNTIME:
        return "device runtime";
    }
    return NULL;
}
