"""Chen and Kuhn (WMT 2011): AMBER, its parts and its weights."""
