    {@{reached_by}, {@{of_nan}, @{of_plus}, @{of_minus}}, @{least}, @{least_of}, @{stored}, @{moves}, @{constants}},
