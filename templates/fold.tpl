AOTIGEN_FOLD(@{stream});
