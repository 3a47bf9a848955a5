"""What the learner did: kept in one SQLite file, with a review schedule on top."""
