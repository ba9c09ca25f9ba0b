import { wordsIn } from "./server";

/**
 * English for what is the same for every reader, whatever language they prefer: feeds, and pictures for link previews.
 * Import it from "#english", which outside of the app is english.ts.
 */
export const words = wordsIn("en");
export const { t } = words;
