"""Serving the application until Ctrl-C."""

from __future__ import annotations

import os
import socket
import sys
from ipaddress import ip_address
from types import FrameType

import uvicorn
from starlette.types import ASGIApp

from plcfrs.errors import InputError


class _Server(uvicorn.Server):
    """Ends at once at a signal: there is nothing to save, and kernels stop only this way."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        sys.stderr.flush()
        os._exit(0)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that accepts connections.

    Parameters
    ----------
    host : str
        A name or an address.
    port : int
        0 for any free port.

    Raises
    ------
    InputError
        If the port is taken or not allowed, or the host is not an address of this machine.
    """
    try:
        family, *_ = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.create_server((host, port), family=family)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(
            f"cannot serve on {host}, port {port}: {reason}: choose another --port (0 for any free "
            "port) or another --host"
        ) from None
    # Connections inherit it: the body of an answer then does not wait for the client to
    # acknowledge the headers, which takes 40 ms. (asyncio sets it for sockets of its own.)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def address(listening: socket.socket) -> str:
    """Return the address of the page."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def is_local(listening: socket.socket) -> bool:
    """Whether only this machine can reach a socket."""
    return ip_address(listening.getsockname()[0]).is_loopback


def serve(app: ASGIApp, listening: socket.socket) -> None:
    """Serve an application; Ctrl-C ends the process with exit code 0."""
    config = uvicorn.Config(app, log_level="error", access_log=False, lifespan="off", ws="none")
    _Server(config).run(sockets=[listening])
