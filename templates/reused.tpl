AOTIGEN_REUSED(@{buffer}, @{handle});
