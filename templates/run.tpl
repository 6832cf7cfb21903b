AOTIGEN_RUN("@{function}", @{stream});
