    {@{reached_by}, @{least}, @{least_of}, @{stored}, @{constants}},
