"""Whether the evidence of a statement supports it: a rule for facts and a trained model."""
