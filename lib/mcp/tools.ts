import { readingTools } from "./reading-tools";
import type { Tool } from "./tool";
import { writingTools } from "./writing-tools";

/** The tasks of models and command lines; a list of all operations would drown either. */
export const tools: readonly Tool[] = [...readingTools, ...writingTools];
