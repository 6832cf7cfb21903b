    {@{dtype}, @{device}, @{dims}, @{aliases}, @{least}, @{least_of}, @{ndim}, @{user},
     @{naliases}},
