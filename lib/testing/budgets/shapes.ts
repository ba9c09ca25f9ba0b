/** Fills a length with a repeated text, between a beginning and an end. */
const fill =
  (text: string, before = "", after = "") =>
  (length: number) =>
    before +
    text.repeat(Math.max(0, Math.floor((length - before.length - after.length) / text.length))) +
    after;

/** Texts of a given length that make programs slow: expressions that backtrack, parsers that nest, sorts, splits. */
export const shapes: Readonly<Record<string, (length: number) => string>> = {
  letters: fill("a", "", "!"),
  blanks: fill(" ", "x", "!"),
  words: fill("ab "),
  delimiters: fill("a,"),
  dots: fill("a.", "", "!"),
  dashes: fill("a-", "", "!"),
  quotes: fill("\"'"),
  backslashes: fill("\\"),
  ats: fill("@ab "),
  marks: fill("\u0301\u0323", "a"),
  jamo: fill("\u1112\u1161\u11ab"),
  "hex digits": fill("00", "0x"),
  "opening brackets": fill("<"),
  "open elements": fill("<b>", "<img src=x>"),
  "closed elements": fill("<b>x</b>"),
  misnested: fill("<b><i></b></i>"),
  attributes: fill("a=b ", "<p ", ">x</p>"),
  links: fill("<a href=https://a.example/>x"),
  entities: fill("&lt;"),
  "data URI": fill(" ", "data:image/png;base64,", "!"),
  "image of a data URI": fill(" ", '<p>x</p><img src="data:image/png;base64,', '!">'),
  uploads: fill('<img src="/uploads/x">'),
};

/** Those that say most, for the many short fields. */
export const fewShapes = ["blanks", "dots", "marks", "hex digits"];
