"""Trains the checker: claims that are supported, and claims altered so that they are not."""
