    {@{is}, @{line}, @{name}, @{outer}, @{loop}},
