"""One folder a family; none imports another one."""
