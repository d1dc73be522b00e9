"""A local web page and a JSON API to parse sentences and to browse grammars and treebanks."""

__all__: list[str] = []
