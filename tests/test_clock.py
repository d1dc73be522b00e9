"""Clocks that stand still while kernels are compiled."""

from itertools import count

from plcfrs.compiling import Clock


def test_the_clock_stands_still():
    clock = Clock(count(0, 10).__next__)  # each look takes ten seconds
    assert clock() == 0
    clock.stop()  # at 10
    assert clock() == clock() == 10
    clock.stop()
    clock.go_on()  # one kernel is compiled while another one is
    assert clock() == 10
    clock.go_on()  # at 20
    assert clock() == 20  # at 30
    clock.stop()  # at 40
    clock.go_on()  # at 50
    assert clock() == 40  # at 60
