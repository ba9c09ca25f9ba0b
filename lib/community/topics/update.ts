import type { Handler, MemberContext } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { transact } from "@/lib/sql/transact";
import { logStaffAct } from "../moderation/log";
import { searchText } from "../text-search";
import { placeImage } from "../uploads/images";
import { claimUploads } from "../uploads/used";
import { authorizeTopic, loadTopic, topicView } from "./load";
import { authorizeLockedTopic } from "./membership";
import { setReproveDates } from "./renew";

/**
 * PATCH /api/topics/{topicId}: title, description (null or empty removes it), image and banner (null removes them), and
 * what the topic asks of its members, by the owner. The log names the fields, not their values.
 * @throws Refusal topic_not_found, not_a_member, role_required, nothing_to_change; invalid_request for reproveDays without
 *   a gate; see placeImage
 */
export const updateTopic: Handler<typeof contract.topics.update> = async (ctx, { topicId, ...input }) => {
  const { title, description, reproveDays, slowModeSeconds, linksAfterPosts, rules, reviewWords, anonymous } =
    input;
  const { caller, db } = ctx;
  const before = await authorizeTopic(db, topicId, caller, "edit");
  const sent = Object.entries(input).flatMap(([field, value]) => (value === undefined ? [] : [field]));
  if (sent.length === 0) throw new Refusal("nothing_to_change");
  if (reproveDays && before.proof_type === "none") {
    throw new Refusal("invalid_request", {
      field: "reproveDays",
      message: "reproveDays belongs to topics with a gate.",
    });
  }
  const image = await placePicture(ctx, input.image, before.image, "image");
  const banner = await placePicture(ctx, input.banner, before.banner, "banner");
  const now = ctx.now();
  const row = await transact(db, async (trx) => {
    const topic = await authorizeLockedTopic(trx, topicId, caller, "edit");
    const changed = {
      title: title ?? topic.title,
      description: description === undefined ? topic.description : description || null,
      image: image.placed === undefined ? topic.image : image.placed,
      banner: banner.placed === undefined ? topic.banner : banner.placed,
      reprove_days: reproveDays === undefined ? topic.reprove_days : reproveDays,
      slow_mode_seconds: slowModeSeconds === undefined ? topic.slow_mode_seconds : slowModeSeconds,
      links_after_posts: linksAfterPosts ?? topic.links_after_posts,
      rules: rules === undefined ? topic.rules : rules || null,
      anonymous: anonymous ?? topic.anonymous,
      review_words: reviewWords === undefined ? topic.review_words : [...new Set(reviewWords)],
    };
    await claimUploads(trx, image.keys, "image");
    await claimUploads(trx, banner.keys, "banner");
    await trx
      .updateTable("topics")
      .set({ ...changed, updated_at: now })
      .where("id", "=", topicId)
      .execute();
    if (changed.reprove_days !== topic.reprove_days) {
      await setReproveDates(trx, topicId, changed.reprove_days, now);
    }
    await trx
      .updateTable("topic_search")
      .set({ text: searchText(changed.title, changed.description) })
      .where("topic_id", "=", topicId)
      .execute();
    await logStaffAct(trx, {
      topicId,
      actorId: caller.userId,
      action: "topic_edited",
      now,
      details: { fields: sent.join(", ") },
    });
    return await loadTopic(trx, topicId, caller.userId);
  });
  return { topic: topicView(row, caller) };
};

/** Stores a picture that was sent. The current one may be the upload of a previous owner, and stays as it is. */
async function placePicture(
  ctx: MemberContext,
  sent: string | null | undefined,
  current: string | null,
  field: "image" | "banner",
): Promise<{ readonly placed: string | null | undefined; readonly keys: readonly string[] }> {
  if (typeof sent !== "string" || sent === current) return { placed: sent, keys: [] };
  const placed = await placeImage(ctx, "topic", sent, field);
  const key = ctx.storage.keyOf(placed);
  return { placed, keys: key ? [key] : [] };
}
