#include "inference/packed_rows.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace tertium::inference {

struct PackedRows::Places {
    std::vector<std::size_t> narrow;
    std::vector<std::size_t> wide;

    Places(const double* rows, std::size_t segments, std::size_t columns) {
        constexpr double most = std::numeric_limits<std::int16_t>::max();
        std::vector<char> fits(columns, 1);
        std::vector<double> word_sums(columns);
        for (std::size_t segment = 0; segment < segments; ++segment) {
            if (segment % word_bits == 0) std::fill(word_sums.begin(), word_sums.end(), 0.0);
            const double* row = rows + segment * columns;
            for (std::size_t column = 0; column < columns; ++column) {
                const double number = row[column];
                word_sums[column] += std::abs(number);
                // False for what is not a number, too.
                const bool small = word_sums[column] <= most;
                fits[column] &= small && static_cast<std::int16_t>(number) == number;
            }
        }
        for (std::size_t column = 0; column < columns; ++column) {
            (fits[column] ? narrow : wide).push_back(column);
        }
    }
};

template <class Number>
Columns<Number>::Columns(const double* rows, std::size_t segments, std::size_t columns,
                         std::vector<std::size_t> places)
    : places_(std::move(places)),
      rows_((segments + word_bits - 1) / word_bits * word_bits),
      strips_(strip_count() * rows_) {
    for (std::size_t number = 0; number < strip_count(); ++number) {
        Strip<Number>* strip = strips_.data() + number * rows_;
        for (std::size_t segment = 0; segment < segments; ++segment) {
            const double* row = rows + segment * columns;
            for_each_column(number, [&](std::size_t k, std::size_t column) {
                strip[segment].values[k] = static_cast<Number>(row[column]);
            });
        }
    }
}

PackedRows::PackedRows(const double* rows, std::size_t segments, std::size_t columns)
    : PackedRows(rows, segments, columns, Places(rows, segments, columns)) {}

PackedRows::PackedRows(const double* rows, std::size_t segments, std::size_t columns, Places places)
    : segments_(segments),
      columns_(columns),
      narrow_(rows, segments, columns, std::move(places.narrow)),
      wide_(rows, segments, columns, std::move(places.wide)) {
    if (segments > std::numeric_limits<std::uint32_t>::max()) {
        throw std::invalid_argument("rows: " + std::to_string(segments) +
                                    " segments, expected fewer than 2^32");
    }
}

}  // namespace tertium::inference
