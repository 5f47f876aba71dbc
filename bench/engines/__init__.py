"""One file per engine in the comparison, all behind `bench.engines.base.Index`."""
