static const int16_t @{args}[] = {@{list}};
static const aotigen_graph @{name} = {@{text}, @{args}, @{nparams}, @{asserted}, @{lines}};
