AOTIGEN_BEFORE_ON(@{site}, @{stream}, @{values});
