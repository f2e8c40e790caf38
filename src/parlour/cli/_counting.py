"""Numbers of things, in words: one stream, two streams."""


def counted(count: int, thing: str, things: str = "") -> str:
    """The number and the thing; `things` where an s behind it does not make several."""
    return f"{count} {thing}" if count == 1 else f"{count} {things or f'{thing}s'}"
