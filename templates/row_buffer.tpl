    {@{name}, @{line}, @{handed_over}, @{reuse}, nullptr, @{vectors}},
