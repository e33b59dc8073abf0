"""The coach: what each move of a decision was worth, hints for it, and reviews of whole games."""
