    {@{dtype}, @{device}, @{dims}, @{rivals}, @{least}, @{least_of}, @{ndim}, @{user},
     @{nrivals}},
