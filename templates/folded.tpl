AOTIGEN_FOLDED(@{weights});
