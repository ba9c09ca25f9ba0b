import { wordsIn } from "./catalogues";

/** English, for text that is the same for every reader (feeds, link previews, the command line) and for tests. */
export const words = wordsIn("en");
export const { t } = words;
