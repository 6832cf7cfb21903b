AOTIGEN_BEFORE(@{site}, @{values});
