static const aotigen_op_value @{values}[] = {@{rows}};
static const aotigen_op @{op} = {@{name}, @{overload}, @{values}, @{ninputs}, @{noutputs}};
