/**
 * White space, controls, marks without a letter, and what Unicode calls ignorable (zero width, Hangul fillers), with the
 * empty Braille cell, which no property tells from the others.
 */
const unseen = /[\s\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{M}\u2800]/gu;

/** Whether anything of a text shows: a title of zero-width spaces could be neither read nor pressed. */
export function isVisible(text: string): boolean {
  return text.replace(unseen, "") !== "";
}

/** A text without the characters that turn the direction of what stands around them: a name must not rewrite its line. */
export function withoutBidiControls(text: string): string {
  return text.replace(/\p{Bidi_Control}/gu, "");
}
