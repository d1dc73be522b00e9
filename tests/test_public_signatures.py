"""`help` shows readable signatures of public names."""

import inspect
from types import FunctionType

from public import public_functions, public_names

from plcfrs import transform


def test_signatures_of_functions_are_short():
    for place, function in public_functions():
        if not place.endswith("__init__"):
            assert len(str(inspect.signature(function))) <= 310, place


def test_defaults_are_short():
    """A data class may have many fields, but no long defaults."""
    for place, member in public_names():
        if isinstance(member, FunctionType) or "__init__" in vars(member):
            for parameter in inspect.signature(member).parameters.values():
                if parameter.default is not parameter.empty:
                    assert len(repr(parameter.default)) <= 180, (place, parameter.name)


def test_help_of_transform_opens_with_one_line():
    signature = str(inspect.signature(transform))
    assert len(signature) < 130
    assert "options: 'Options' = Options()" in signature
