import { z } from "zod";

/** The author's id of what is said anonymously. */
export const ANONYMOUS_ID = "anonymous";

/** All that anybody learns of who said something anonymously. */
export const anonymousAuthor = z
  .object({
    pseudonym: z
      .string()
      .describe(
        "Two words, the same for all that one author says in this thread, and without a meaning in another.",
      ),
    crowd: z.int().describe("Members of the crowd, one of whom said it."),
    isAuthorOfPost: z.boolean().describe("Whether they wrote the thread's post as well."),
  })
  .meta({ id: "AnonymousAuthor" });
export type AnonymousAuthor = z.infer<typeof anonymousAuthor>;
