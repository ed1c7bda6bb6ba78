// formats/buda/net_internal.h - what the parts of net_build share: net.c, net_size.c, net_epoch.c.
#ifndef HOIST_SRC_FORMATS_BUDA_NET_INTERNAL_H
#define HOIST_SRC_FORMATS_BUDA_NET_INTERNAL_H

#include "formats/buda/net.h"

// Fills entry_bytes, buffer_bytes and sizes_known of every queue; producers are known already.
void buda_net_sizes(buda_net *net);
// Fills host_shift of the copies queues[first .. first+count) of one list-form queue.
void buda_net_host_shifts(buda_net *net, size_t first, size_t count);
// Fills `temporal` of every graph. HOIST_OK, HOIST_NO_MEMORY, HOIST_LIMIT (more than 1,024
// different devices, or 10,000,000 executes of copies).
HOIST_NODISCARD hoist_status buda_net_epochs(buda_net *net);

#endif // HOIST_SRC_FORMATS_BUDA_NET_INTERNAL_H
