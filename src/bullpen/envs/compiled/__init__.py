"""Observations straight from the compiled records: the same numbers as `bullpen.envs.observing` makes from
a view, which stays the product; tests/envs/test_compiled.py proves them equal."""
