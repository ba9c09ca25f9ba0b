import { cache } from "react";
import * as community from "@/lib/community";
import { contract } from "@/lib/contract";
import { NICKNAME } from "@/lib/contract/limits";
import type { PersonView } from "@/lib/contract/people";
import { pageContext } from "@/lib/http/page";
import { read } from "./result";

/** A member by their nickname; null for a name that nobody has. */
export const person = cache(async (nickname: string): Promise<PersonView | null> => {
  if (!NICKNAME.test(nickname)) return null;
  const ctx = await pageContext();
  const found = await read(() => community.getPerson(ctx, { nickname }));
  return found.ok ? found.value.person : null;
});

/** Posts of a member that the visitor may read, latest first. */
export async function postsOf(nickname: string, cursor: string | undefined) {
  const ctx = await pageContext();
  return await read(() =>
    community.listPostsOf(ctx, { nickname, ...contract.people.posts.query.parse({ cursor }) }),
  );
}

/** Comments of a member that the visitor may read, latest first. */
export async function commentsOf(nickname: string, cursor: string | undefined) {
  const ctx = await pageContext();
  return await read(() =>
    community.listCommentsOf(ctx, { nickname, ...contract.people.comments.query.parse({ cursor }) }),
  );
}
