"""Pictures of trees: for the terminal, as SVG, PDF and PNG, and as LaTeX source."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
