"""The metrics, one file each. All are in 0..1, higher is better, and true in every script."""
