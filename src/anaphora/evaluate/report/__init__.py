"""The report on what runs found out: a page for the browser, and text for the terminal."""

from __future__ import annotations

from anaphora.evaluate.report.page import html_report
from anaphora.evaluate.report.text import text_report, text_summary

__all__ = ["html_report", "text_report", "text_summary"]
