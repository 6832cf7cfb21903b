    {@{reached_by}, {@{of_nan}, @{of_plus}, @{of_minus}}, @{least}, @{least_of}, @{loads_all},
     @{stored}, @{moves}, @{constants}},
