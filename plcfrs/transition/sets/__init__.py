"""Set-based transitions (Coavoux and Cohen 2019): no stack, any two sets of tokens can combine."""
