AOTIGEN_FOLDING(@{weights});
