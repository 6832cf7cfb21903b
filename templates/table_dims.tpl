static const aotigen_dim aotigen_dims_@{name}_[] = {@{rows}};
