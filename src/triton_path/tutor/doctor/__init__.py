"""What this machine can do, found by trying: rows, verdict, and the commands that mend."""
