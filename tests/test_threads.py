"""Networks take one thread of NumPy's library, and leave it as it was."""

from threading import Barrier, Thread

import pytest
from quick import core
from random_networks import random_model, random_set_model, random_span_model
from threadpoolctl import ThreadpoolController

from plcfrs.threads import one_thread


@pytest.fixture
def blas():
    """Give NumPy two threads, and return what says how many it has."""
    libraries = ThreadpoolController().select(user_api="blas")
    if not libraries.lib_controllers:
        pytest.skip("the number of threads of this NumPy cannot be changed")
    with libraries.limit(limits=2):
        yield lambda: libraries.lib_controllers[0].num_threads


class Watched(dict):
    """Arrays of a network that call a function whenever one is used."""

    def __init__(self, arrays, look):
        super().__init__(arrays)
        self.look = look

    def __getitem__(self, name):
        self.look()
        return super().__getitem__(name)


@core(1, "make", [random_model, random_set_model, random_span_model])
def test_networks_take_one_thread(blas, make):
    model, seen = make(), []
    network = model.contents.network
    network._encoding._arrays = Watched(network.arrays, lambda: seen.append(blas()))
    network.__dict__["arrays"] = network._encoding._arrays
    assert model.parse("Who left ?").status == "parsed"
    assert set(seen) == {1}
    assert blas() == 2


def test_contexts_that_overlap_restore_the_threads(blas):
    first_is_in, second_is_in, first_is_out = (Barrier(2) for _ in range(3))
    seen = []

    def second():
        first_is_in.wait()
        with one_thread:
            second_is_in.wait()
            first_is_out.wait()
            seen.append(blas())

    thread = Thread(target=second)
    thread.start()
    with one_thread:
        first_is_in.wait()
        second_is_in.wait()
        seen.append(blas())
    first_is_out.wait()
    thread.join()
    assert seen == [1, 1]
    assert blas() == 2


def test_an_error_restores_the_threads(blas):
    @one_thread
    def fail():
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert blas() == 2
