    {@{name}, @{python_name}, @{dtype}, @{role}, @{kind}, @{flags}, @{maker}, @{writer},
     @{expected}, @{text}, @{parameter}},
