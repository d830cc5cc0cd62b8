"""Every option of every command, as one table of data; and all that is made from the table.

table ──► parse (click parameters) ──► help, completion
      ├─► config (norn.toml, pyproject.toml) ──► given (what holds for one call)
      ├─► again (the command line of a replay)
      └─► tools/options_page.py (docs/options.md, the manual page)
"""
