static const @{type} @{name}[] = {
@{rows}
};
