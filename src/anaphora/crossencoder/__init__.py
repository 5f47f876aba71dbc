"""The judge: question and passage in one sequence; relevance, answer and "none here" out."""
