    {@{name}, @{python_name}, @{dtype}, @{role}, @{kind}, @{flags}, @{text}},
