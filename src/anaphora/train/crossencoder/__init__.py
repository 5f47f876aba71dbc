"""The judge's recipe: questions with passages, hard negatives, own upper layers, two heads."""
