    {@{param}, @{writer}, @{site}, @{reads}},
