"""The grader: runs a learner's kernel on many cases and says what is wrong with it.

In the order to read it: `check` does the job in the interpreter; `cases` plans what to run, `data`
makes the tensors, `learner` loads the file, `rules` and `integrity` see what it does besides
launching kernels, `running` runs one case under the memory watch, `compare` and `patterns` judge
the results, `findings` words what was found, `diagnosis` tells known mistakes, `advice` looks at
what does not fail it. `compiling` is the other job: the compiler, and the GPU where there is one.
"""
