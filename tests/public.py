"""The functions and methods that packages name in their `__all__`."""

import inspect
from importlib import import_module
from pkgutil import iter_modules
from types import FunctionType

import plcfrs

PACKAGES = sorted(
    f"plcfrs.{module.name}"
    for module in iter_modules(plcfrs.__path__)
    if module.ispkg and module.name not in ("cli", "web")
)


def public_names():
    """Yield each class and function once, by its module and name."""
    found = {}
    for package in ("plcfrs", *PACKAGES):
        module = import_module(package)
        for name in getattr(module, "__all__", ()):
            member = getattr(module, name)
            if inspect.isclass(member) or isinstance(member, FunctionType):
                found[id(member)] = member
    for member in found.values():
        yield f"{member.__module__}.{member.__qualname__}", member


def public_functions():
    """Yield each function, and each method of a class with `__init__`."""
    for place, member in public_names():
        if isinstance(member, FunctionType):
            yield place, member
            continue
        for name, method in inspect.getmembers(member, inspect.isroutine):
            method = getattr(method, "__func__", method)
            is_public = not name.startswith("_") or name == "__init__"
            if is_public and isinstance(method, FunctionType):
                yield f"{method.__module__}.{method.__qualname__}", method
