import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import type { Handler, MemberContext } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { assertAllowed } from "@/lib/policy/decision";
import { deskAccess } from "@/lib/policy/desk";
import { assertFreshProof } from "@/lib/session/fresh-proof";
import { isSlug, tagSlug } from "../posts/tags";
import { write } from "../write";
import { logOperatorAct } from "./log";

/*
 * A tag is on posts of many authors, who are not told. The public log names it by its id: its slug may be the reason for
 * removing it.
 */

/** Refuses who may not, and someone without a fresh proof: neither act can be undone. */
function assertMayChangeTags(ctx: MemberContext): void {
  assertAllowed(deskAccess(ctx.caller.operator).act);
  assertFreshProof(ctx);
}

/** Locks a tag's row, under which its counters and uses change. @throws Refusal tag_not_found */
async function lockTag(trx: Trx, slug: string): Promise<string> {
  const tag = await trx
    .selectFrom("tags")
    .select("id")
    .where("slug", "=", slug)
    .forUpdate()
    .executeTakeFirst();
  if (!tag) throw new Refusal("tag_not_found");
  return tag.id;
}

/**
 * PATCH /api/desk/tags/{tag}: gives a tag another name and slug on every post. `posts` is the number of posts.
 * @throws Refusal operator_required, fresh_proof_required, tag_not_found, tag_exists, invalid_request
 */
export const renameTag: Handler<typeof contract.desk.renameTag> = async (ctx, { tag, name, reason }) => {
  assertMayChangeTags(ctx);
  const slug = tagSlug(name);
  if (!isSlug(slug)) throw new Refusal("invalid_request", { field: "name" });
  const posts = await write(ctx, async (trx) => {
    const id = await lockTag(trx, tag);
    if (slug !== tag) {
      const taken = await trx.selectFrom("tags").select("id").where("slug", "=", slug).executeTakeFirst();
      if (taken) throw exists();
      await trx.updateTable("tags").set({ slug }).where("id", "=", id).execute();
      await sql`update topic_tags set slug = ${slug} where tag_id = ${id}`.execute(trx);
    }
    const { numUpdatedRows } = await trx
      .updateTable("post_tags")
      .set({ name })
      .where("tag_id", "=", id)
      .executeTakeFirst();
    await logTagAct(trx, ctx, { action: "tag_renamed", id, reason });
    return Number(numUpdatedRows);
  }).catch((error: unknown) => {
    // SQLSTATE unique_violation: a post has used the name meanwhile.
    if (error instanceof Error && "code" in error && error.code === "23505") throw exists();
    throw error;
  });
  return { slug, posts };
};

/**
 * DELETE /api/desk/tags/{tag}: removes a tag from every post, with its counters. Authors may use it again.
 * @throws Refusal operator_required, fresh_proof_required, tag_not_found
 */
export const removeTag: Handler<typeof contract.desk.removeTag> = async (ctx, { tag, reason }) => {
  const posts = await write(ctx, (trx) => removeTagWithin(trx, ctx, { tag, reason }));
  return { success: true, posts };
};

/** @returns the number of posts */
export async function removeTagWithin(
  trx: Trx,
  ctx: MemberContext,
  { tag, reason }: { readonly tag: string; readonly reason: string },
): Promise<number> {
  assertMayChangeTags(ctx);
  const id = await lockTag(trx, tag);
  const { numDeletedRows } = await trx.deleteFrom("post_tags").where("tag_id", "=", id).executeTakeFirst();
  await trx.deleteFrom("topic_tags").where("tag_id", "=", id).execute();
  await trx.deleteFrom("tags").where("id", "=", id).execute();
  await logTagAct(trx, ctx, { action: "tag_removed", id, reason });
  return Number(numDeletedRows);
}

function exists(): Refusal {
  return new Refusal("tag_exists", { field: "name" });
}

interface TagAct {
  readonly action: "tag_renamed" | "tag_removed";
  readonly id: string;
  readonly reason: string;
}

async function logTagAct(trx: Trx, { caller, now }: MemberContext, { id, ...act }: TagAct): Promise<void> {
  await logOperatorAct(trx, {
    ...act,
    actorId: caller.userId,
    role: "operator",
    targetKind: "tag",
    targetId: id,
    now: now(),
  });
}
