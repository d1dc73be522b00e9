"""Plain Python written from the papers, slow and simple, to test the package against."""
