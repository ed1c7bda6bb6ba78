// hoist link --transport: what a run sends to a device, as bytes.
#ifndef HOIST_TOOLS_LINK_USB_H
#define HOIST_TOOLS_LINK_USB_H

#include "tool.h"

// Writes the stream of the input's model, linked to `addresses`, with the inputs of the command
// line, and the report.
tool_exit link_usb(tool *t, const tool_input *input, const hoist_link_address *addresses,
                   size_t count);

#endif // HOIST_TOOLS_LINK_USB_H
