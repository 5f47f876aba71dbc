"""Making a follow-up stand alone: history, expansion; the learned rewriters join them here."""
