#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "bindings/convert.hpp"
#include "text/arrow_columns.hpp"
#include "text/tokens/tokenizers.hpp"

namespace tertium::bindings {
namespace {

using text::ArrowColumns;

template <class T>
T* held(nb::handle capsule, const char* name) {
    void* found = PyCapsule_GetPointer(capsule.ptr(), name);
    if (found == nullptr) throw nb::python_error();
    return static_cast<T*>(found);
}

// What is handed over must be given back, whatever happens.
template <class T>
struct Released {
    T value{};
    Released() = default;
    Released(const Released&) = delete;
    Released& operator=(const Released&) = delete;
    ~Released() {
        if (value.release != nullptr) value.release(&value);
    }
};

void append_stream(ArrowColumns& columns, ArrowArrayStream* stream) {
    const auto check = [&](int status) {
        if (status == 0) return;
        const char* said = stream->get_last_error(stream);
        throw std::invalid_argument(said == nullptr ? "found a stream that failed" : said);
    };
    Released<ArrowSchema> schema;
    check(stream->get_schema(stream, &schema.value));
    while (true) {
        const auto array = std::make_shared<Released<ArrowArray>>();
        check(stream->get_next(stream, &array->value));
        if (array->value.release == nullptr) return;
        columns.append(schema.value, array->value, array);
    }
}

nb::tuple as_tuple(ArrowColumns& columns) {
    nb::list texts;
    for (Texts& column : columns.columns()) texts.append(nb::cast(std::move(column)));
    const auto& valid = columns.valid();
    return nb::make_tuple(texts,
                          nb::bytes(reinterpret_cast<const char*>(valid.data()), valid.size()));
}

nb::tuple from_array(nb::handle schema, nb::handle array, bool lists) {
    ArrowColumns columns(lists);
    const auto* type = held<ArrowSchema>(schema, "arrow_schema");
    auto* data = held<ArrowArray>(array, "arrow_array");
    if (type->release == nullptr || data->release == nullptr) {
        throw std::invalid_argument("found a column that was given away already");
    }
    // It is taken out of the capsule, for texts that are read where they lie outlive that.
    const auto taken = std::make_shared<Released<ArrowArray>>();
    taken->value = std::exchange(*data, ArrowArray{});
    {
        const Unlocked unlocked;
        columns.append(*type, taken->value, taken);
    }
    return as_tuple(columns);
}

nb::tuple from_stream(nb::handle capsule, bool lists) {
    ArrowColumns columns(lists);
    auto* stream = held<ArrowArrayStream>(capsule, "arrow_array_stream");
    if (stream->release == nullptr) {
        throw std::invalid_argument("found a stream that was given away already");
    }
    append_stream(columns, stream);  // with the lock: the stream may be Python's own
    return as_tuple(columns);
}

template <class T>
nb::bytes raw(const std::vector<T>& values) {
    return nb::bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

// All tokens one after the other: their bytes, where each ends, and how many each text has.
nb::tuple tokens(const std::string& tokenization, const Texts& texts) {
    std::string bytes;
    std::vector<std::int64_t> ends{0};
    std::vector<std::int64_t> lists{0};
    {
        const Tokenization kind = tokenization_named(tokenization);
        const Unlocked unlocked;
        TokenBuffer buffer;
        for (std::size_t i = 0; i < texts.size(); ++i) {
            tokenize(kind, texts[i], buffer);
            for (const std::string_view token : buffer.tokens) {
                bytes.append(token);
                ends.push_back(static_cast<std::int64_t>(bytes.size()));
            }
            lists.push_back(static_cast<std::int64_t>(ends.size()) - 1);
        }
    }
    return nb::make_tuple(nb::bytes(bytes.data(), bytes.size()), raw(ends), raw(lists));
}

}  // namespace

void bind_arrow(nb::module_& module) {
    module.def("arrow_array", &from_array, nb::arg("schema"), nb::arg("array"), nb::kw_only(),
               nb::arg("lists"),
               nb::sig("def arrow_array(schema: object, array: object, *, lists: bool) -> "
                       "tuple[list[Texts], bytes]"),
               "Columns of text of an Arrow array, and a byte for each row: 0 where it is null.");
    module.def("arrow_stream", &from_stream, nb::arg("stream"), nb::kw_only(), nb::arg("lists"),
               nb::sig("def arrow_stream(stream: object, *, lists: bool) -> "
                       "tuple[list[Texts], bytes]"),
               "The same of a stream of arrays.");
    module.def("arrow_tokens", &tokens, nb::arg("tokenization"), nb::arg("texts"),
               nb::sig("def arrow_tokens(tokenization: str, texts: Texts) -> "
                       "tuple[bytes, bytes, bytes]"),
               "Tokens of all texts: bytes, 64-bit offsets of tokens and of texts.");
}

}  // namespace tertium::bindings
