// Python's strings and lists as the bindings read them. A stable ABI hides their insides, so that
// one module fits every later Python; there the same is asked by calls, which take a little longer.
#pragma once

#include <nanobind/nanobind.h>

#include <span>
#include <string>

#include "text/texts.hpp"
#include "text/utf8_encoding.hpp"

namespace tertium::bindings {

namespace nb = nanobind;

// The name of an object's type, for messages.
inline std::string type_name(PyObject* object) {
    const nb::object name = nb::steal(PyType_GetName(Py_TYPE(object)));
    return name.is_valid() ? nb::cast<std::string>(name) : "an object";
}

// ---- lists and tuples, whose items the caller keeps alive -------------------------------------

#ifdef Py_LIMITED_API
inline std::size_t size_of(PyObject* items) {
    return static_cast<std::size_t>(PyList_Check(items) ? PyList_Size(items) : PyTuple_Size(items));
}

inline PyObject* item_of(PyObject* items, std::size_t index) {
    const auto place = static_cast<Py_ssize_t>(index);
    return PyList_Check(items) ? PyList_GetItem(items, place) : PyTuple_GetItem(items, place);
}
#else
inline std::size_t size_of(PyObject* items) {
    return static_cast<std::size_t>(PySequence_Fast_GET_SIZE(items));
}

inline PyObject* item_of(PyObject* items, std::size_t index) {
    return PySequence_Fast_GET_ITEM(items, static_cast<Py_ssize_t>(index));
}
#endif

// The items of anything that can be gone through, as a list or tuple. Where there is no lock that
// holds off other threads, it is one that nobody else can change.
inline nb::object items_of(nb::handle sequence) {
#ifdef Py_GIL_DISABLED
    nb::object items = nb::steal(PySequence_Tuple(sequence.ptr()));
#else
    const bool fast = PyList_Check(sequence.ptr()) || PyTuple_Check(sequence.ptr());
    nb::object items = fast ? nb::borrow(sequence) : nb::steal(PySequence_List(sequence.ptr()));
#endif
    if (!items.is_valid()) throw nb::python_error();
    return items;
}

// ---- strings ----------------------------------------------------------------------------------

#ifdef Py_LIMITED_API
inline bool is_ascii_string(PyObject* string) {
    // Asked of `str` itself: a class of somebody else may answer otherwise.
    static PyObject* const asked =
        PyObject_GetAttrString(reinterpret_cast<PyObject*>(&PyUnicode_Type), "isascii");
    const nb::object found = nb::steal(PyObject_Vectorcall(asked, &string, 1, nullptr));
    if (!found.is_valid()) throw nb::python_error();
    return found.ptr() == Py_True;
}

// Appends the text of a string; false if only Python can tell it.
inline bool append_directly(text::Texts& texts, PyObject* string) {
    if (!is_ascii_string(string)) return false;
    Py_ssize_t size = 0;
    const char* text = PyUnicode_AsUTF8AndSize(string, &size);  // its own bytes
    if (text == nullptr) throw nb::python_error();
    texts.append({text, static_cast<std::size_t>(size)});
    return true;
}

inline std::size_t most_bytes(PyObject* item) {
    if (!PyUnicode_Check(item)) return 0;
    const auto length = static_cast<std::size_t>(PyUnicode_GetLength(item));
    return is_ascii_string(item) ? length : 4 * length;
}
#else
template <class Character>
bool append_encoded(text::Texts& texts, std::span<const Character> characters) {
    char* const room = texts.room(text::utf8_room<Character>(characters.size()));
    const char* const end = text::write_utf8(characters, room);
    if (end != nullptr) texts.append_until(end);
    return end != nullptr;
}

inline bool append_directly(text::Texts& texts, PyObject* string) {
    const auto length = static_cast<std::size_t>(PyUnicode_GET_LENGTH(string));
    if (PyUnicode_IS_COMPACT_ASCII(string)) {
        texts.append({static_cast<const char*>(PyUnicode_DATA(string)), length});
        return true;
    }
    if (PyUnicode_KIND(string) == PyUnicode_1BYTE_KIND) {
        return append_encoded(texts,
                              std::span<const Py_UCS1>(PyUnicode_1BYTE_DATA(string), length));
    }
    if (PyUnicode_KIND(string) == PyUnicode_2BYTE_KIND) {
        return append_encoded(texts,
                              std::span<const Py_UCS2>(PyUnicode_2BYTE_DATA(string), length));
    }
    return false;
}

// At most as many bytes as a string takes in UTF-8. Room that is never written costs nothing, but
// text that has to move is written twice.
inline std::size_t most_bytes(PyObject* item) {
    if (!PyUnicode_Check(item)) return 0;
    const auto length = static_cast<std::size_t>(PyUnicode_GET_LENGTH(item));
    if (PyUnicode_IS_ASCII(item)) return length;
    return length * (PyUnicode_KIND(item) == PyUnicode_1BYTE_KIND   ? 2
                     : PyUnicode_KIND(item) == PyUnicode_2BYTE_KIND ? 3
                                                                    : 4);
}
#endif

}  // namespace tertium::bindings
