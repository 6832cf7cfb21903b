    {@{name}, @{python_name}, @{dtype}, @{device}, @{dims}, @{ndim}, @{flags}},
