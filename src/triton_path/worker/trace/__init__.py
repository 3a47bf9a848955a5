"""The job `trace`: runs a person's file on the CPU with every kernel under the watch."""
