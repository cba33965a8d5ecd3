"""``python -m tertium`` is the command ``tertium``."""

from tertium.cli.process import command

if __name__ == "__main__":
    command()
