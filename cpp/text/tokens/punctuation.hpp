// Texts without their punctuation.
#pragma once

#include "text/texts.hpp"

namespace tertium::text::tokens {

// Punctuation (\p{P}) is gone, and the blanks between what is left are single spaces.
Texts without_punctuation(const Texts& texts);

}  // namespace tertium::text::tokens
