"""The version of sacreBLEU whose interface and numbers these are."""

from typing import Final

__version__: Final = "2.6.0"
version: Final = __version__
__version_tuple__: Final = (2, 6, 0)
version_tuple: Final = __version_tuple__
