"""A local web page and a JSON API for parsing and for browsing grammars and treebanks."""

__all__: list[str] = []
