import type { Handler } from "@/lib/context";
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
 * PATCH /api/topics/{topicId}: title, description (null or empty removes it), image (null removes it), and what the topic
 * asks of its members, by the owner. The log names the fields, not their values.
 * @throws Refusal topic_not_found, not_a_member, role_required, nothing_to_change; invalid_request for reproveDays without
 *   a gate; see placeImage
 */
export const updateTopic: Handler<typeof contract.topics.update> = async (ctx, { topicId, ...input }) => {
  const { title, description, image, reproveDays, slowModeSeconds, linksAfterPosts, rules, reviewWords } =
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
  // The current image may be the upload of a previous owner.
  const isNew = typeof image === "string" && image !== before.image;
  const placed = isNew ? await placeImage(ctx, "topic", image, "image") : image;
  const imageKey = isNew && placed ? ctx.storage.keyOf(placed) : null;
  const now = ctx.now();
  const row = await transact(db, async (trx) => {
    const topic = await authorizeLockedTopic(trx, topicId, caller, "edit");
    const changed = {
      title: title ?? topic.title,
      description: description === undefined ? topic.description : description || null,
      image: placed === undefined ? topic.image : placed,
      reprove_days: reproveDays === undefined ? topic.reprove_days : reproveDays,
      slow_mode_seconds: slowModeSeconds === undefined ? topic.slow_mode_seconds : slowModeSeconds,
      links_after_posts: linksAfterPosts ?? topic.links_after_posts,
      rules: rules === undefined ? topic.rules : rules || null,
      review_words: reviewWords === undefined ? topic.review_words : [...new Set(reviewWords)],
    };
    if (imageKey) await claimUploads(trx, [imageKey], "image");
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
