AOTIGEN_RUN(@{stream});
