"""The native API under /api/v1: one router for each kind of resource."""
