    {@{name}, @{fqn}, @{dtype}, @{device}, @{shape}, @{stride},
     @{bytes}, @{ndim}, @{from_folded}, @{is_buffer}, @{only_read}, @{vectors}},
