"""One server where people and programs play board games, whatever protocol they speak."""
