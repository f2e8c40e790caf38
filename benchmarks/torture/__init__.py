"""What `./bench --torture` and `./bench --soak` do."""

from benchmarks.torture.command import torture

__all__ = ["torture"]
