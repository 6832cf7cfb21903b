#if defined _GLIBCXX_REGEX && defined __GLIBCXX__
typedef std::string::const_iterator aotigen_at_;
typedef std::allocator<std::sub_match<aotigen_at_>> aotigen_matches_;
extern template class std::basic_regex<char>;
extern template class std::__detail::_Scanner<char>;
extern template class std::__detail::_NFA<std::regex_traits<char>>;
extern template class std::__detail::_Compiler<std::regex_traits<char>>;
extern template class std::__detail::_BracketMatcher<std::regex_traits<char>, false, false>;
extern template class std::__detail::_BracketMatcher<std::regex_traits<char>, false, true>;
extern template class std::__detail::_BracketMatcher<std::regex_traits<char>, true, false>;
extern template class std::__detail::_BracketMatcher<std::regex_traits<char>, true, true>;
extern template class std::__detail::_Executor<aotigen_at_, aotigen_matches_,
                                               std::regex_traits<char>, false>;
extern template class std::__detail::_Executor<aotigen_at_, aotigen_matches_,
                                               std::regex_traits<char>, true>;
#endif
