AOTIGEN_FOLD("@{function}", @{stream});
