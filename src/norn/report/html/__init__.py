"""The result as HTML: a page in one file, and a small view for notebooks."""

from norn.report.html.notebook import comparison_to_fragment, result_to_fragment, topology_to_fragment
from norn.report.html.page import comparison_to_html, result_to_html

__all__ = [
    "comparison_to_fragment",
    "comparison_to_html",
    "result_to_fragment",
    "result_to_html",
    "topology_to_fragment",
]
