"""Measuring pipelines on data sets, and naming the stage that failed."""
