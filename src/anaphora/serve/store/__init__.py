"""What the service keeps: conversations, feedback, keys and sessions, in one SQLite database."""
