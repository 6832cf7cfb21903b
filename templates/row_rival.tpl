    {@{param}, @{writer}, @{site}},
