AOTIGEN_FOLDING_END(@{initialization}, @{weights});
