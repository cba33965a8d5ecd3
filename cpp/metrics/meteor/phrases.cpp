#include "metrics/meteor/phrases.hpp"

#include <algorithm>
#include <stdexcept>

#include "metrics/meteor/lexicon.hpp"

namespace tertium::metrics::meteor {
MeteorPhrases::MeteorPhrases(Bytes table) {
    SectionReader in(table, TableKind::phrases);
    checksum_ = in.next_text();
    words_ = in.next_strings();
    first_nodes_ = in.next<std::uint32_t>();
    labels_ = in.next<std::uint32_t>();
    child_begins_ = in.next<std::uint32_t>();
    target_begins_ = in.next<std::uint32_t>();
    targets_ = in.next<std::uint32_t>();
    marks_ = in.next<std::uint8_t>();
}

std::uint32_t MeteorPhrases::next(std::uint32_t node, std::uint32_t word) const {
    if (std::size_t{node} + 1 >= child_begins_.size()) return 0;
    const std::size_t begin = child_begins_[node];
    const std::size_t end = child_begins_[node + 1];
    if (begin >= end || end > labels_.size()) return 0;
    const auto children = labels_.subspan(begin, end - begin);
    const auto found = std::lower_bound(children.begin(), children.end(), word);
    if (found == children.end() || *found != word) return 0;
    return static_cast<std::uint32_t>(begin + static_cast<std::size_t>(found - children.begin()));
}

void PhraseTableBuilder::feed(std::string_view piece) {
    while (!piece.empty()) {
        const std::size_t end = piece.find('\n');
        if (end == std::string_view::npos) {
            rest_.append(piece);
            return;
        }
        if (rest_.empty()) {
            take_line(piece.substr(0, end));
        } else {
            rest_.append(piece.substr(0, end));
            take_line(rest_);
            rest_.clear();
        }
        piece.remove_prefix(end + 1);
    }
}

void PhraseTableBuilder::take_line(std::string_view line) {
    switch (lines_++ % 3) {
        case 1:
            if (line == last_phrase_) break;  // a phrase's entries follow each other
            last_phrase_ = line;
            phrase_ = node_of(line);
            break;
        case 2:
            // An empty side can match nothing.
            if (const std::uint32_t paraphrase = node_of(line); phrase_ != 0 && paraphrase != 0) {
                entries_.emplace_back(phrase_, paraphrase);
            }
            break;
        default:
            break;  // METEOR makes no use of the probability
    }
}

std::uint32_t PhraseTableBuilder::node_of(std::string_view phrase) {
    std::uint32_t node = 0;
    for_each_word(phrase, [&](std::string_view word) { node = child(node, words_.add(word)); });
    return node;
}

std::uint32_t PhraseTableBuilder::child(std::uint32_t parent, std::uint32_t word) {
    const std::uint32_t node = nodes_.intern({parent, word}) + 1;  // 0 is the root
    if (node == tree_.size()) tree_.emplace_back(parent, word);
    return node;
}

std::string PhraseTableBuilder::finish(std::string_view checksum) {
    if (!rest_.empty()) take_line(std::exchange(rest_, {}));
    if (lines_ % 3 != 0) {
        throw std::invalid_argument("found " + std::to_string(lines_) +
                                    " lines, expected three for each paraphrase");
    }
    const auto count = static_cast<std::uint32_t>(tree_.size());

    // Nodes anew from the root down, children beside each other and ascending: a node's children
    // are then a range, and a child is found by bisection.
    std::vector<std::uint32_t> by_parent(count - 1);
    for (std::uint32_t node = 1; node < count; ++node) by_parent[node - 1] = node;
    std::sort(by_parent.begin(), by_parent.end(),
              [&](std::uint32_t a, std::uint32_t b) { return tree_[a] < tree_[b]; });
    std::vector<std::uint32_t> old_begins(count + 1, 0);
    for (std::uint32_t node = 1; node < count; ++node) ++old_begins[tree_[node].first + 1];
    for (std::uint32_t node = 0; node < count; ++node) old_begins[node + 1] += old_begins[node];
    std::vector<std::uint32_t> order{0}, number(count, 0), labels{0}, child_begins;
    order.reserve(count);
    labels.reserve(count);
    for (std::uint32_t place = 0; place < count; ++place) {
        child_begins.push_back(static_cast<std::uint32_t>(order.size()));
        const std::uint32_t node = order[place];
        for (std::uint32_t k = old_begins[node]; k < old_begins[node + 1]; ++k) {
            number[by_parent[k]] = static_cast<std::uint32_t>(order.size());
            order.push_back(by_parent[k]);
            labels.push_back(tree_[by_parent[k]].second);
        }
    }
    child_begins.push_back(count);

    std::vector<std::uint32_t> first_nodes(words_.size(), 0);
    for (std::uint32_t node = child_begins[0]; node < child_begins[1]; ++node) {
        first_nodes[labels[node]] = node;
    }
    std::vector<std::uint8_t> marks(count, 0);
    std::vector<std::uint32_t> target_begins(count + 1, 0);
    for (auto& [phrase, paraphrase] : entries_) {
        phrase = number[phrase];
        paraphrase = number[paraphrase];
        marks[phrase] = marks[paraphrase] = 1;
        ++target_begins[phrase + 1];
    }
    for (std::uint32_t node = 0; node < count; ++node)
        target_begins[node + 1] += target_begins[node];
    std::vector<std::uint32_t> targets(entries_.size());
    std::vector<std::uint32_t> places(target_begins.begin(), target_begins.end() - 1);
    for (const auto& [phrase, paraphrase] : entries_) targets[places[phrase]++] = paraphrase;

    SectionWriter out(TableKind::phrases);
    out.add(checksum);
    out.add(words_);
    out.add(first_nodes);
    out.add(labels);
    out.add(child_begins);
    out.add(target_begins);
    out.add(targets);
    out.add(marks);
    return out.finish();
}

}  // namespace tertium::metrics::meteor
