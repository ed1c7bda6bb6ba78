// easy_weights FILE: lists the arrays that a file holds for its program.
#include <hoist/hoist.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    hoist_job *job = NULL;
    hoist_array_set *arrays = NULL;
    const bool is_read = argc == 2 && !hoist_job_open(argv[1], NULL, NULL, &job) &&
                         !hoist_job_arrays(job, hoist_allocator_system(), NULL, &arrays);
    for (size_t i = 0; is_read && i < hoist_array_set_count(arrays); i++) {
        hoist_array a;
        const hoist_str name = hoist_array_set_at(arrays, i, &a);
        printf("%.*s: %s, %zu bytes\n", (int)name.size, name.data, hoist_dtype_get(a.dtype)->name,
               a.data.size);
    }
    hoist_array_set_destroy(arrays);
    hoist_job_close(job);
    return is_read ? 0 : 1;
}
