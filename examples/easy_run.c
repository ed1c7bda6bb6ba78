// easy_run FILE INPUT X.npy: runs all programs with one array, and lists what comes out.
#include <hoist/hoist.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    hoist_job *job = NULL;
    hoist_array_set *outputs = NULL;
    hoist_array x = {.rank = 0};
    const hoist_named_array input = {argc == 4 ? argv[2] : "", &x};
    const bool is_run = argc == 4 && !hoist_job_open(argv[1], NULL, NULL, &job) &&
                        !hoist_npy_open(argv[3], hoist_allocator_system(), NULL, &x) &&
                        !hoist_run_once(job, &input, 1, NULL, NULL, &outputs);
    for (size_t i = 0; is_run && i < hoist_array_set_count(outputs); i++) {
        hoist_array y;
        const hoist_str name = hoist_array_set_at(outputs, i, &y);
        printf("%.*s: %zu bytes\n", (int)name.size, name.data, y.data.size);
    }
    hoist_array_set_destroy(outputs);
    hoist_array_deinit(&x, hoist_allocator_system());
    hoist_job_close(job);
    return is_run ? 0 : 1;
}
