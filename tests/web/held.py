"""Answers of the server that come late."""


class Held:
    """Answers that arrive when a test wants it."""

    def __init__(self, page, pattern):
        self._page, self._pattern = page, pattern
        self._routes = []
        self._is_open = False
        page.route(pattern, self._hold)

    def _hold(self, route):
        if self._is_open:
            route.continue_()
        else:
            self._routes.append(route)

    def asked(self):
        """Return a context that ends with a request."""
        return self._page.expect_request(self._pattern)

    def give(self):
        self._is_open = True
        for route in self._routes:
            route.continue_()
