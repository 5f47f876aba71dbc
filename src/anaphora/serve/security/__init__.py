"""Who asks, and whether it is allowed: keys, sessions, hosts, limits, headers."""
