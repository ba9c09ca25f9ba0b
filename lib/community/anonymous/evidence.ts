import { sql } from "kysely";
import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { commentAccess, postAccess } from "@/lib/policy/post";
import { authorizePost } from "../posts/load";
import { viewerOf } from "../viewer";

interface EvidenceRow {
  readonly root: number;
  readonly public_inputs: string[];
  readonly proof: string;
  readonly parent_id: string | null;
  readonly text: string | null;
  readonly deleted: boolean;
  readonly hidden: boolean;
}

/** GET /api/posts/{postId}/anonymous @throws Refusal not_anonymous, comment_not_found */
export const readEvidence: Handler<typeof contract.anonymous.evidence> = async (ctx, { postId, comment }) => {
  const { caller, db } = ctx;
  const post = await authorizePost(db, postId, caller, "read");
  const { rows } = await sql<EvidenceRow & { readonly found: boolean }>`
    select a.root, a.public_inputs, '0x' || encode(a.proof, 'hex') as proof, c.parent_id, c.content as text,
      c.deleted_at is not null as deleted, c.hidden_at is not null as hidden, a.id is not null as found
    from (select ${comment ?? null}::uuid as id) asked
    left join comments c on c.id = asked.id and c.post_id = ${post.id}
    left join anonymous_acts a on a.post_id = ${post.id} and a.comment_id is not distinct from asked.id
    where asked.id is null or c.id is not null`.execute(db);
  const [row] = rows;
  if (!row) throw new Refusal("comment_not_found", { field: "comment" });
  if (!row.found) throw new Refusal("not_anonymous");
  const viewer = viewerOf(caller, post);
  const at = { topicId: post.topic_id, postId: post.id };
  const evidence = { publicInputs: row.public_inputs, proof: row.proof, root: row.root };
  if (comment === undefined) {
    const { readBody } = postAccess(post, viewer);
    const { title, content } = post;
    const tags = post.tags.map(({ name }) => name);
    const act = { kind: "post" as const, ...at, parentId: null, title, content, tags };
    return { evidence: { ...evidence, act: readBody ? act : null } };
  }
  const { deleted, hidden, text } = row;
  const { readBody } = commentAccess({ deleted, hidden, mine: false }, post, viewer);
  const act = {
    kind: "comment" as const,
    ...at,
    parentId: row.parent_id,
    title: null,
    content: text ?? "",
    tags: null,
  };
  return { evidence: { ...evidence, act: readBody ? act : null } };
};
