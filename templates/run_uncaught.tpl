AOTIGEN_RUN_UNCAUGHT("@{function}", @{folding}, @{stream});
