import { en } from "./en";
import { wordsOf } from "./words";

/** English outside of pages: tests look for what people read, and the command line speaks it. */
export const words = wordsOf("en", en);
export const { t } = words;
