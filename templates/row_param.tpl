    {@{name}, @{python_name}, @{dtype}, @{role}, @{kind}, @{flags}, @{maker}, @{expected},
     @{text}},
