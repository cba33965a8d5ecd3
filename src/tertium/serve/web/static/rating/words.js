// A text as words that can be marked. Offsets are code points, as the server counts them.

const segmenter = typeof Intl.Segmenter === "function"
  ? new Intl.Segmenter(undefined, { granularity: "word" }) : null;

function pieces(text) {
  if (segmenter) return [...segmenter.segment(text)].map((one) => one.segment);
  return text.split(/(\s+)/u).filter((one) => one !== "");
}

// [{text, start, end, space}], joined so that letters with no space between stay as the language
// has them: "don't" is one word, and Chinese is cut as a reader would.
export function wordsOf(text) {
  let start = 0;
  return pieces(text).map((piece) => {
    const end = start + [...piece].length;
    const word = { text: piece, start, end, space: piece.trim() === "" };
    start = end;
    return word;
  });
}

export function cut(text, start, end) { return [...text].slice(start, end).join(""); }
