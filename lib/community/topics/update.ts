import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { logStaffAct } from "../moderation/log";
import { searchText } from "../text-search";
import { placeImage } from "../uploads/images";
import { claimUploads } from "../uploads/used";
import { authorizeTopic, loadTopic, topicView } from "./load";
import { authorizeLockedTopic } from "./membership";

/**
 * PATCH /api/topics/{topicId}: title, description (null or empty removes it) and image (null removes it), by the owner.
 * The log names the fields, not their values.
 * @throws Refusal topic_not_found, not_a_member, role_required, nothing_to_change; see placeImage
 */
export const updateTopic: Handler<typeof contract.topics.update> = async (
  ctx,
  { topicId, title, description, image },
) => {
  const { caller, db } = ctx;
  const before = await authorizeTopic(db, topicId, caller, "edit");
  const sent = Object.entries({ title, description, image }).flatMap(([field, value]) =>
    value === undefined ? [] : [field],
  );
  if (sent.length === 0) throw new Refusal("nothing_to_change");
  // The current image may be the upload of a previous owner.
  const isNew = typeof image === "string" && image !== before.image;
  const placed = isNew ? await placeImage(ctx, "topic", image, "image") : image;
  const imageKey = isNew && placed ? ctx.storage.keyOf(placed) : null;
  const now = ctx.now();
  const row = await db.transaction().execute(async (trx) => {
    const topic = await authorizeLockedTopic(trx, topicId, caller, "edit");
    const changed = {
      title: title ?? topic.title,
      description: description === undefined ? topic.description : description || null,
      image: placed === undefined ? topic.image : placed,
    };
    if (imageKey) await claimUploads(trx, [imageKey], "image");
    await trx
      .updateTable("topics")
      .set({ ...changed, updated_at: now })
      .where("id", "=", topicId)
      .execute();
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
