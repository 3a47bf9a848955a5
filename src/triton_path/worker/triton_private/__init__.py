"""Every private name of Triton that this project uses, for Triton 3.4 to 3.9.

Nothing else may import from `triton.runtime.interpreter`. The names are those of the interpreter
(TRITON_INTERPRET=1, set before Triton is imported); `watch.selftest` proves at start that they
still mean what they did.

- `names`: the interpreter's classes and objects, and small helpers on them.
- `patching`: temporary changes of attributes, and those that let a kernel call `tl.*` at once
  instead of for each call of a helper.
"""
