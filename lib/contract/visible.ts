/**
 * Anything but white space, controls, combining marks without a letter, characters that Unicode calls ignorable (zero
 * width, Hangul fillers), and the empty Braille cell, which has no property of its own.
 */
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{M}\u2800]/u;

/** Returns whether a text has a visible character: a title of zero-width spaces can be neither read nor clicked. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

/** Removes bidirectional control characters, with which a name could reorder the text around it. */
export function withoutBidiControls(text: string): string {
  return text.replace(/\p{Bidi_Control}/gu, "");
}
