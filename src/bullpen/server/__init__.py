"""Tables that people and programs join over the network: `bullpen serve`; see docs/server.md."""
