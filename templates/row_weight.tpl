    {@{name}, @{fqn}, @{dtype}, @{device}, @{shape}, @{stride},
     @{bytes}, @{ndim}, @{from_folded}, @{is_buffer}},
