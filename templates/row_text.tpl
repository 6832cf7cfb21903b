    {@{reached_by}, @{least}, @{least_of}, @{stored}, @{stores_nan}},
