AOTIGEN_RUN_UNCAUGHT(@{folding}, @{stream});
