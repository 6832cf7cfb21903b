AOTIGEN_AFTER_MADE(@{site}, @{values});
