"""The store: one suite for both databases, then what can only happen to one of them."""
