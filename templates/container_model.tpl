extern aotigen_model *const aotigen_container_model_ __attribute__((visibility("hidden")));
aotigen_model *const aotigen_container_model_ = &aotigen_model_;
