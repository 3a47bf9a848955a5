"""Full screens with their keys: each module is one screen, from first paint to the key that leaves.

They draw with `render`, decide with `tutor`, and keep what happened in the store at once.
"""
