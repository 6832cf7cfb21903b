nullptr
