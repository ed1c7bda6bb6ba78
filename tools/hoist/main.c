// The process of the command. All of it is tool_main() in entry.c, which tests can call with an
// allocator that fails.
#include "tool.h"

int main(int argc, char **argv)
{
    return tool_main(argc, argv, hoist_allocator_system());
}
