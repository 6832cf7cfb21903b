this->constants_.get()
