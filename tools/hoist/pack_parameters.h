// hoist pack --parameters: a model with other parameters.
#ifndef HOIST_TOOLS_PACK_PARAMETERS_H
#define HOIST_TOOLS_PACK_PARAMETERS_H

#include "tool.h"

// Writes the model of the command line with the parameters that it names.
tool_exit pack_parameters(tool *t);

#endif // HOIST_TOOLS_PACK_PARAMETERS_H
