"""What the tutor asks a worker and what comes back: the wire format, and nothing else.

A job is one message. A worker answers with any number of `Progress` messages and then one
`Result` or one `Failure`, on a channel of its own: what learner code prints never mixes with it.
"""
