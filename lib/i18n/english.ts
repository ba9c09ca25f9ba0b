import { wordsIn } from "./catalogues";

/** English, for what is the same for every reader: feeds, link previews, the command line. Tests look for what people read. */
export const words = wordsIn("en");
export const { t } = words;
