"""Studies of published methods. They use Anaphora; nothing of them is shipped."""
