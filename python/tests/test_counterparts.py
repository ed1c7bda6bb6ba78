"""Every function of the C interface has its place in Python, or a reason why it has none."""
import pathlib

from support import ROOT, Case, main

from hoist import _abi

# Functions that no Python module calls.
WITHOUT = {
    "numpy does it": [
        "hoist_array_deinit", "hoist_array_element_size", "hoist_array_floats", "hoist_array_from_stored",
        "hoist_array_set_add", "hoist_array_set_at", "hoist_array_set_begin_tree", "hoist_array_set_count",
        "hoist_array_set_create", "hoist_array_set_destroy", "hoist_array_set_digest", "hoist_array_set_end_tree",
        "hoist_array_set_free_bytes", "hoist_array_set_note", "hoist_array_set_npz", "hoist_array_set_read",
        "hoist_array_set_safetensors", "hoist_array_size", "hoist_npy_begin", "hoist_npy_read", "hoist_npy_save",
        "hoist_dtype_find"],
    "Python reads the file and gives its bytes": ["hoist_job_open", "hoist_open_memory"],
    "the collector of findings is not seen": [
        "hoist_diag_count", "hoist_diag_incomplete", "hoist_deadline_left", "hoist_deadline_look"],
    "a dict is searched instead": ["hoist_program_find_entry", "hoist_program_find_port"],
    "the command decides by it what to print": [
        "hoist_job_can_show", "hoist_job_comparison", "hoist_job_diff_rules", "hoist_job_joins"],
    "Python has findings as objects, documents as dicts, and NumPy": [
        "hoist_diag_text", "hoist_finding_text", "hoist_job_document", "hoist_npy_open", "hoist_run_once",
        "hoist_job_arrays"],
    "Python has libraries for images": ["hoist_image_is", "hoist_image_read", "hoist_image_resize"],
    "NumPy makes data for tests": ["hoist_job_test_input", "hoist_job_test_limits"],
    "a part without a choice is everything": ["hoist_job_graph"],
    "tokens are compared": ["hoist_file_set_create", "hoist_file_set_add", "hoist_file_set_destroy"],
}


class Counterparts(Case):
    def test_every_function(self):
        sources = "".join(path.read_text() for path in pathlib.Path(ROOT, "python/hoist").glob("*.py")
                          if path.name != "_abi.py")
        reasons = {name for names in WITHOUT.values() for name in names}
        absent = [name for name in _abi.FUNCTIONS
                  if f"lib.{name}" not in sources and name not in reasons]
        self.assertEqual([], absent)

    def test_no_reason_is_left_over(self):
        sources = "".join(path.read_text() for path in pathlib.Path(ROOT, "python/hoist").glob("_[jpc]*.py"))
        for names in WITHOUT.values():
            self.assertEqual([], [name for name in names if name not in _abi.FUNCTIONS or f"lib.{name}(" in sources])


if __name__ == "__main__":
    main()
