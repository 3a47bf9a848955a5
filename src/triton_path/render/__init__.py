"""From models to Rich renderables. No input or output, no prompts."""
