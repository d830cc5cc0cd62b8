"""A value as the text of JSON: every format that is JSON, and the strings of YAML, are written by this.

What `json` leaves as it is although a terminal may act upon it is escaped, too: standard output may be one.
"""

from __future__ import annotations

import json
import re

_CONTROL = re.compile("[\x7f-\x9f]")  # only strings can hold them


def to_json(value: object, indent: int | None = None) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def document(value: object) -> str:
    """For people as well as for programs."""
    return to_json(value, indent=2) + "\n"
