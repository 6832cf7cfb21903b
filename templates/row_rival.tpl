    {@{param}, @{writer}},
