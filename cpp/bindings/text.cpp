#include <algorithm>
#include <optional>
#include <span>
#include <string>

#include "bindings/convert.hpp"
#include "bindings/strings.hpp"
#include "text/cut_marks.hpp"
#include "text/tokens/punctuation.hpp"

namespace tertium::bindings {
namespace {

std::string_view bytes_view(const nb::bytes& data) {
    return {data.c_str(), data.size()};
}

nb::object decode(const Texts& texts, std::size_t i) {
    if (texts.missing(i)) return nb::none();
    const std::string_view text = texts[i];
    return nb::steal(
        PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), nullptr));
}

// Copies the text of a Python string. A lone surrogate has no UTF-8 form: ValueError.
void append_string(Texts& texts, nb::handle item, std::size_t index) {
    if (item.is_none()) {
        texts.append_missing();
        return;
    }
    if (!PyUnicode_Check(item.ptr())) {
        throw nb::type_error(("segment " + std::to_string(index + 1) + ": found " +
                              type_name(item.ptr()) + ", expected str or None")
                                 .c_str());
    }
    if (append_directly(texts, item.ptr())) return;
    // Encoded into a passing object, not into the string's own cache, to keep memory flat.
    nb::object bytes = nb::steal(PyUnicode_AsUTF8String(item.ptr()));
    if (!bytes.is_valid()) {
        PyErr_Clear();
        throw nb::value_error(("segment " + std::to_string(index + 1) +
                               ": a lone surrogate, expected text that can be encoded as UTF-8")
                                  .c_str());
    }
    texts.append(bytes_view(nb::borrow<nb::bytes>(bytes)));
}

// The columns of [segment][reference], each entry a string or a sequence of strings and None; and
// the first segment that has no reference, or −1. Shorter rows end in missing references.
nb::tuple reference_columns(nb::handle references) {
    const nb::object all = items_of(references);
    std::vector<nb::object> rows;
    std::size_t width = 1;
    Py_ssize_t bare = -1;
    rows.reserve(size_of(all.ptr()));
    // The size is asked each time, as an entry's own iterator may change the list.
    for (std::size_t i = 0; i < size_of(all.ptr()); ++i) {
        const nb::handle entry = item_of(all.ptr(), i);
        if (PyUnicode_Check(entry.ptr())) {
            rows.push_back(nb::borrow(entry));
            continue;
        }
        rows.push_back(items_of(entry));
        const std::size_t size = size_of(rows.back().ptr());
        bool any = false;
        for (std::size_t k = 0; k < size && !any; ++k) {
            any = item_of(rows.back().ptr(), k) != Py_None;
        }
        if (!any && bare < 0) bare = static_cast<Py_ssize_t>(i);
        width = std::max(width, size);
    }
    nb::list columns;
    const std::size_t count = rows.size();
    for (std::size_t c = 0; c < width; ++c) {
        const auto entry = [&](std::size_t i) {
            PyObject* row = rows[i].ptr();
            if (PyUnicode_Check(row)) return c == 0 ? row : Py_None;
            return c < size_of(row) ? item_of(row, c) : Py_None;
        };
        Texts texts;
        std::size_t bytes = 0;
        for (std::size_t i = 0; i < count; ++i) bytes += most_bytes(entry(i));
        texts.reserve(count, bytes + utf8_overhang);
        for (std::size_t i = 0; i < count; ++i) append_string(texts, entry(i), i);
        columns.append(std::move(texts));
    }
    return nb::make_tuple(columns, bare);
}

Texts texts_from(nb::sequence segments) {
    Texts texts;
    const nb::object items = items_of(segments);
    const std::size_t count = size_of(items.ptr());
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < count; ++i) bytes += most_bytes(item_of(items.ptr(), i));
    texts.reserve(count, bytes + utf8_overhang);
    for (std::size_t i = 0; i < count; ++i) {
        append_string(texts, item_of(items.ptr(), i), i);
    }
    return texts;
}

bool is_ascii(std::string_view text) {
    for (const char c : text) {
        if (static_cast<unsigned char>(c) >= 0x80) return false;
    }
    return true;
}

// Python's own str.lower, so that results never differ from it; ASCII needs no Python. In UTF-8 no
// byte of another character looks like a letter of ASCII.
Texts lower(const Texts& texts, bool ascii_only) {
    Texts out;
    out.reserve(texts.size(), texts.byte_size());
    std::string buffer;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (texts.missing(i)) {
            out.append_missing();
        } else if (ascii_only || is_ascii(texts[i])) {
            buffer.assign(texts[i]);
            for (char& c : buffer) {
                if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
            }
            out.append(buffer);
        } else {
            append_string(out, decode(texts, i).attr("lower")(), i);
        }
    }
    return out;
}

Texts slice(const Texts& texts, const nb::slice& range) {
    const auto [start, stop, step, length] = range.compute(texts.size());
    Texts out;
    if (step == 1) {
        out.append(texts, static_cast<std::size_t>(start),
                   static_cast<std::size_t>(start) + length);
        return out;
    }
    for (std::size_t k = 0; k < length; ++k) {
        const auto i = static_cast<std::size_t>(start + static_cast<Py_ssize_t>(k) * step);
        out.append(texts, i, i + 1);
    }
    return out;
}

std::vector<std::size_t> longer_than(const Texts& texts, std::size_t bytes) {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (!texts.missing(i) && texts[i].size() > bytes) out.push_back(i);
    }
    return out;
}

Texts repeated(const Texts& texts, const std::vector<std::size_t>& counts) {
    if (counts.size() != texts.size()) {
        throw std::invalid_argument("found " + std::to_string(counts.size()) +
                                    " counts, expected " + std::to_string(texts.size()));
    }
    const Unlocked unlocked;
    std::size_t segments = 0;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        segments += counts[i];
        bytes += counts[i] * texts[i].size();
    }
    Texts out;
    out.reserve(segments, bytes);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        for (std::size_t k = 0; k < counts[i]; ++k) out.append(texts, i, i + 1);
    }
    return out;
}

// The segments of some rows of columns as lines of text, a tab between columns.
nb::bytes tabbed_lines(
    const std::vector<const Texts*>& columns,
    const nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>& keep) {
    std::string out;
    std::size_t bad = std::string::npos;
    for (const Texts* column : columns) check_equal_sizes(*column, keep.size());
    {
        const Unlocked unlocked;
        const bool* kept = keep.data();
        for (std::size_t i = 0; i < keep.size() && bad == std::string::npos; ++i) {
            if (!kept[i]) continue;
            for (std::size_t c = 0; c < columns.size(); ++c) {
                const std::string_view text = (*columns[c])[i];
                if (columns.size() > 1 && text.find('\t') != std::string_view::npos) bad = i;
                if (c > 0) out.push_back('\t');
                out.append(text);
            }
            out.push_back('\n');
        }
    }
    if (bad != std::string::npos) {
        throw std::invalid_argument("row " + std::to_string(bad + 1) + ": found a tab in a text");
    }
    return nb::bytes(out.data(), out.size());
}

nb::object item(const Texts& texts, Py_ssize_t index) {
    const auto size = static_cast<Py_ssize_t>(texts.size());
    if (index < 0) index += size;
    if (index < 0 || index >= size) throw nb::index_error("segment index out of range");
    return decode(texts, static_cast<std::size_t>(index));
}

}  // namespace

void bind_text(nb::module_& module) {
    nb::class_<Texts>(module, "Texts",
                      "An immutable column of segments (UTF-8); None marks a missing one.")
        .def(
            "__init__",
            [](Texts* self, nb::sequence segments) { new (self) Texts(texts_from(segments)); },
            nb::arg("segments"),
            nb::sig("def __init__(self, segments: Sequence[str | None]) -> None"))
        .def("__len__", &Texts::size)
        .def("__getitem__", &item, nb::arg("index"),
             nb::sig("def __getitem__(self, index: int, /) -> str | None"))
        .def(
            "__eq__", [](const Texts& a, const Texts& b) { return a == b; }, nb::arg("other"),
            nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("take", &slice, nb::arg("range"), "The segments of a slice, as a new column.")
        .def("repeat", &repeated, nb::arg("counts"),
             "Every segment as often as its count says, one after the other.")
        .def("longer_than", &longer_than, nb::arg("bytes"),
             "The places of segments that have more bytes of UTF-8.")
        .def("lower", &lower, nb::kw_only(), nb::arg("ascii_only") = false,
             "Every segment lower-cased as by str.lower, or A to Z and no more.")
        .def("without_punctuation", &text::tokens::without_punctuation,
             "Every segment without its punctuation, words parted by single spaces.")
        .def(
            "to_list",
            [](const Texts& texts) {
                nb::list out;
                for (std::size_t i = 0; i < texts.size(); ++i) out.append(decode(texts, i));
                return out;
            },
            nb::sig("def to_list(self) -> list[str | None]"))
        .def_prop_ro("any_missing", [](const Texts& texts) {
            for (std::size_t i = 0; i < texts.size(); ++i) {
                if (texts.missing(i)) return true;
            }
            return false;
        });

    module.def("reference_columns", &reference_columns, nb::arg("references"),
               nb::sig("def reference_columns(references: collections.abc.Iterable[str | "
                       "collections.abc.Iterable[str | None]]) "
                       "-> tuple[list[Texts], int]"),
               "Columns of [segment][reference], and the first segment without one (or -1).");

    module.def("tabbed_lines", &tabbed_lines, nb::arg("columns"), nb::arg("keep"),
               "Rows of columns as lines, a tab between columns: those that are to be kept.");

    module.def(
        "concatenate",
        [](const std::vector<const Texts*>& parts) {
            const Unlocked unlocked;
            Texts out;
            std::size_t segments = 0;
            std::size_t bytes = 0;
            for (const Texts* part : parts) {
                segments += part->size();
                bytes += part->byte_size();
            }
            out.reserve(segments, bytes);
            for (const Texts* part : parts) out.append(*part, 0, part->size());
            return out;
        },
        nb::arg("parts"), "One column after the other.");

    module.def(
        "split_lines",
        [](const nb::bytes& block, bool at_end, std::size_t most) {
            Lines lines;
            {
                const Unlocked unlocked;
                lines = split_lines(bytes_view(block), at_end, most);
            }
            return nb::make_tuple(std::move(lines.texts), lines.consumed, lines.bad_line);
        },
        nb::arg("block"), nb::arg("at_end"), nb::arg("most"),
        nb::sig("def split_lines(block: bytes, at_end: bool, most: int) -> tuple[Texts, int, int]"),
        "Lines of a block, bytes used, and the line after them if it is not UTF-8 (or -1).");

    nb::class_<References>(
        module, "TokenizedReferences",
        "References tokenised once, to be used for many systems, unless told otherwise.")
        .def(
            "__init__",
            [](References* self, const std::vector<const Texts*>& columns,
               const std::string& tokenization, bool reused) {
                using enum References::Preparation;
                const Tokenization kind = tokenization_named(tokenization);
                const Unlocked unlocked;
                new (self) References(columns, kind, reused ? when_asked : each_time);
            },
            nb::arg("columns"), nb::arg("tokenization"), nb::kw_only(), nb::arg("reused") = true,
            nb::keep_alive<1, 2>())
        .def("__len__", &References::size);

    module.def(
        "tokenize",
        [](const std::string& tokenization, const Texts& texts) {
            // One segment per line would be ambiguous for odd spaces, so lists of tokens.
            TokenBuffer buffer;
            const Tokenization kind = tokenization_named(tokenization);
            nb::list out;
            for (std::size_t i = 0; i < texts.size(); ++i) {
                tokenize(kind, texts[i], buffer);
                nb::list tokens;
                for (const std::string_view token : buffer.tokens) {
                    tokens.append(nb::str(token.data(), token.size()));
                }
                out.append(std::move(tokens));
            }
            return out;
        },
        nb::arg("tokenization"), nb::arg("texts"),
        nb::sig("def tokenize(tokenization: str, texts: Texts) -> list[list[str]]"),
        "The tokens of every segment.");
    module.def(
        "with_cut_marks",
        [](const Texts& texts, const std::string& tokenization, const Texts& prepared) {
            check_equal_sizes(prepared, texts.size());
            TokenBuffer buffer;
            const Tokenization kind = tokenization_named(tokenization);
            nb::list out;
            for (std::size_t i = 0; i < texts.size(); ++i) {
                tokenize(kind, prepared[i], buffer);
                const std::string marked = text::with_cut_marks(texts[i], buffer.tokens);
                out.append(nb::str(marked.data(), marked.size()));
            }
            return out;
        },
        nb::arg("texts"), nb::arg("tokenization"), nb::arg("prepared"),
        nb::sig(
            "def with_cut_marks(texts: Texts, tokenization: str, prepared: Texts) -> list[str]"),
        "Every segment with a unit separator where a token of what was prepared of it ends without "
        "a space.");
    module.def("worker_count", &worker_count, "Threads that statistics are computed with.");
    module.def("set_worker_count", &set_worker_count, nb::arg("count"),
               "Say how many threads work from now on; 0 leaves it to TERTIUM_THREADS, or to the "
               "processors there are.");
}

}  // namespace tertium::bindings
