static const aotigen_dim aotigen_dims_@{input}_[] = {@{rows}};
