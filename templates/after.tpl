AOTIGEN_AFTER(@{site});
