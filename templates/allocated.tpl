AOTIGEN_ALLOCATED(@{buffer}, @{handle});
