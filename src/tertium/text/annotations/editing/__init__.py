"""Files of annotations with other names in them, and every other byte as it was."""

from tertium.text.annotations.editing.files import edited

__all__ = ["edited"]
