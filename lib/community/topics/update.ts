import type { MemberContext } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { assertAllowed } from "@/lib/policy/decision";
import { topicAccess } from "@/lib/policy/topic";
import { logStaffAct } from "../moderation/log";
import { searchText } from "../text-search";
import { placeImage } from "../uploads/images";
import { claimUploads } from "../uploads/used";
import { viewerOf } from "../viewer";
import { loadTopic } from "./load";
import { accessUnderLock } from "./membership";
import { topicView } from "./view";

/**
 * PATCH /api/topics/{topicId}: title, description (null or empty removes it) and image (null removes it), by the
 * owner. The log names the fields that were given, not what stood in them.
 * @throws Refusal topic_not_found, not_a_member, role_required, nothing_to_change, and what placeImage refuses
 */
export async function updateTopic(
  ctx: MemberContext,
  { topicId, title, description, image }: HandlerInput<typeof contract.topics.update>,
): Promise<ResponseBody<typeof contract.topics.update>> {
  const { caller, db } = ctx;
  const before = await loadTopic(db, topicId, caller.userId);
  assertAllowed(topicAccess(before, viewerOf(caller, before)).edit);
  const given = Object.entries({ title, description, image }).flatMap(([field, value]) =>
    value === undefined ? [] : [field],
  );
  if (given.length === 0) throw new Refusal("nothing_to_change");
  // The image that stands there already may be another owner's upload.
  const isNew = typeof image === "string" && image !== before.image;
  const placed = isNew ? await placeImage(ctx, "topic", image, "image") : image;
  const imageKey = isNew && placed ? ctx.storage.keyOf(placed) : null;
  const now = ctx.now();
  const row = await db.transaction().execute(async (trx) => {
    const { topic, access } = await accessUnderLock(trx, topicId, caller);
    assertAllowed(access.edit);
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
      details: { fields: given.join(", ") },
    });
    return await loadTopic(trx, topicId, caller.userId);
  });
  return { topic: topicView(row, caller) };
}
