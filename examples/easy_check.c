// easy_check FILE: checks a file and prints its findings as `hoist check` does.
#include <hoist/hoist.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    const hoist_allocator alloc = hoist_allocator_system();
    hoist_diag *diag = NULL;
    hoist_job *job = NULL;
    hoist_mut_bytes text = {NULL, 0};
    const bool is_read = argc == 2 && !hoist_diag_create(alloc, NULL, &diag) &&
                         !hoist_job_open(argv[1], NULL, diag, &job) && !hoist_job_check(job, diag);
    const bool is_text = diag && !hoist_diag_text(diag, alloc, &text);
    printf("%.*s", (int)text.size, text.data ? (const char *)text.data : "");
    const bool is_right = is_read && is_text && !hoist_diag_count(diag, HOIST_ERROR);
    hoist_easy_free(text, alloc);
    hoist_job_close(job);
    hoist_diag_destroy(diag);
    return is_right ? 0 : 1;
}
