    {@{file}, @{line}, @{text}, @{module}},
