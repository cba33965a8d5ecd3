// The stemmer of Porter (1980), with the two rules that its author changed later: -bli becomes
// -ble (not only -abli -able), and -logi becomes -log.
#pragma once

#include <string>
#include <string_view>

namespace tertium::text::tokens {

// The stem of a word in lower case; words of one or two characters are their own stems.
std::string porter_stem(std::string_view word);

// The same with the additions of NLTK, which its PorterStemmer has unless asked for others: a few
// irregular words, -y after a consonant alone, short words in -ies, -ied and -logi, -fulli.
std::string nltk_porter_stem(std::string_view word);

}  // namespace tertium::text::tokens
