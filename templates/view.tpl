AOTIGEN_VIEW(@{base}, @{ndim}, @{sizes}, @{strides}, @{offset})
