"""Runs what the documentation shows: its commands, with the output it claims for them, and its files.

    pages ──► blocks ──► running (scratch, shell) ──► outputs compared as of `normal`

`tests/test_documented.py` is the test, `tools/documented_outputs.py` writes the outputs anew. What a page may
hold, and what is done with it, is told in CONTRIBUTING.md, "Documentation".
"""
