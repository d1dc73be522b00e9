"""Plain Python written from the papers, slow and simple, as a reference for tests."""
