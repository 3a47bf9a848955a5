"""A course folder as data: YAML and Markdown read, checked and turned into models. Runs no code."""
