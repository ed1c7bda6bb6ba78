"""Sphinx's settings for the site that scripts/site.sh makes."""
import os

project = "hoist"
version = release = os.environ["HOIST_SITE_VERSION"]
copyright = "the authors of hoist"
root_doc = "index"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_heading_anchors = 4
myst_enable_extensions = []
suppress_warnings = ["myst.header", "myst.xref_missing", "toc.excluded", "toc.not_readable"]
exclude_patterns = ["_build"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
html_theme = "alabaster"
html_theme_options = {"description": "compiled accelerator programs without their hardware", "fixed_sidebar": False,
                      "show_powered_by": False, "page_width": "1100px"}
# Of 600 pages of rules none has the menu, which would be most of their bytes.
html_sidebars = {pages: ["about.html", "searchbox.html", "navigation.html"]
                 for pages in ("*", "api/*", "docs/*", "docs/formats/*", "docs/tutorials/*", "python/*")}
html_sidebars["docs/rules/*"] = ["about.html", "searchbox.html"]
html_static_path = ["_static"]
html_css_files = ["hoist.css"]
html_extra_path = ["_extra"]
html_copy_source = False
html_show_sourcelink = False
html_last_updated_fmt = None
pygments_style = "friendly"
highlight_language = "none"
