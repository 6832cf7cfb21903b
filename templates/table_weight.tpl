static const int64_t aotigen_shape_@{weight}_[] = {@{shape}},
                     aotigen_stride_@{weight}_[] = {@{stride}};
