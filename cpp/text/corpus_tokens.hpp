// Token numbers that hold for a whole corpus, for metrics that weigh words by all references.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "text/references.hpp"

namespace tertium {

class CorpusTokens {
  public:
    Token intern(const Vocabulary& vocabulary, Token token) {
        const auto next = static_cast<Token>(numbers_.size());
        return numbers_.try_emplace(identity(vocabulary, token), next).first->second;
    }

    Token find(const Vocabulary& vocabulary, Token token) const {
        const auto found = numbers_.find(identity(vocabulary, token));
        return found == numbers_.end() ? unknown : found->second;
    }

  private:
    struct Identity {
        TokenKey key;
        std::string bytes;  // empty for tokens that the key holds whole
        bool operator==(const Identity&) const = default;
    };
    struct Hash {
        std::size_t operator()(const Identity& identity) const {
            return static_cast<std::size_t>(identity.key.key * 0x9E3779B97F4A7C15u) +
                   identity.key.length;
        }
    };

    static Identity identity(const Vocabulary& vocabulary, Token token) {
        return {vocabulary.keys[static_cast<std::size_t>(token)],
                std::string(vocabulary.long_bytes(token))};
    }

    std::unordered_map<Identity, Token, Hash> numbers_;
};

}  // namespace tertium
