"""``python -m tertium`` is the command ``tertium``."""

import sys

from tertium.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
