"""What norn says: `console` for people, `json` for programs."""
