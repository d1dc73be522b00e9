"""A local web page and a JSON API for parsing and for browsing grammars and treebanks."""

from plcfrs.web.app import address, create_app, is_local, listen, serve, warm_up
from plcfrs.web.limits import Limits
from plcfrs.web.store import Store

__all__ = ["Limits", "Store", "address", "create_app", "is_local", "listen", "serve", "warm_up"]
