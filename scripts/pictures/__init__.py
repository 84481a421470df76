"""Scenes for the gallery's sample pictures, rendered from nothing but numbers."""
