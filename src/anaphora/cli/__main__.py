"""`python -m anaphora.cli`."""

from anaphora.cli import main

main()
