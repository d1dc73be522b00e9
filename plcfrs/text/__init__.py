"""Running text: sentences and tokens."""
