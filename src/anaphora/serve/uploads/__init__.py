"""Uploads: files from clients, stored next to the index and added to it in the background.

Nothing in a file is run or fetched. A file is streamed to a folder that is not indexed, and takes
its place among the uploads of an index when the request is complete.
"""

from anaphora.serve.uploads.form import MOST_FILES
from anaphora.serve.uploads.jobs import Job
from anaphora.serve.uploads.uploads import MOST_JOBS, Uploads

__all__ = ["MOST_FILES", "MOST_JOBS", "Job", "Uploads"]
