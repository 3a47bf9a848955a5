"""The tutor's logic, without a terminal: walking a lesson, asking and grading, standing."""
