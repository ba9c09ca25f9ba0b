import { z } from "zod";

/** The author's id of what is said anonymously. */
export const ANONYMOUS_ID = "anonymous";

/** All that anybody learns of who said something anonymously. */
export const anonymousAuthor = z
  .object({
    /** Two words, the same for all that one author says in this thread, and without a meaning in another. */
    pseudonym: z.string(),
    /** Members of the crowd, one of whom said it. */
    crowd: z.int(),
    /** Whether they wrote the thread's post as well. */
    isAuthorOfPost: z.boolean(),
  })
  .meta({ id: "AnonymousAuthor" });
export type AnonymousAuthor = z.infer<typeof anonymousAuthor>;
