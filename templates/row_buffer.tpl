    {@{name}, @{line}, @{handed_over}},
