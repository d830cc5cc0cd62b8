"""`python -m norn`."""

from norn.cli import main

main()
