"""What stops a command."""


class CommandError(Exception):
    """One sentence for whoever typed the command; the exit status is 2."""
