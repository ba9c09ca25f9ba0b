import type { Db } from "@/db/schema";
import type { Context, Handler } from "@/lib/context";
import type { contract, HandlerInput } from "@/lib/contract";
import { ANONYMOUS_ID } from "@/lib/contract/anonymous-author";
import { LIMITS } from "@/lib/contract/limits";
import { isRefusal, Refusal } from "@/lib/errors";
import { anonymousAccess } from "@/lib/policy/anonymous";
import { assertAllowed } from "@/lib/policy/decision";
import { epochOf, type Picture, pictureStatement } from "@/lib/proofs/anonymous/act";
import { transact } from "@/lib/sql/transact";
import { newKey } from "@/lib/storage/keys";
import { holdTopic } from "../topics/membership";
import { bytesOfDataUri } from "../uploads/data-uri";
import { assertNotBlocked, digestOf, lockDigests } from "../uploads/digests";
import { type Image, inspectImage } from "../uploads/inspect";
import { removeUploads, type UploadContext } from "../uploads/store";
import { assertProven, unlinkedWords } from "./act";
import { anonymousTopic, circumstancesOf, hex, knownTopic } from "./terms";

type Body = HandlerInput<typeof contract.anonymous.picture>;

const { pictureBytes, picturesPerDay } = LIMITS.anonymous;
const FIELD = "image";

/** POST /api/topics/{topicId}/anonymous/pictures: an upload that nobody owns, in a slot of its own. */
export const addPicture: Handler<typeof contract.anonymous.picture> = async (ctx, input) => {
  const { db, storage } = ctx;
  const { membership } = input;
  const topic = await knownTopic(ctx, input.topicId, input.key);
  assertAllowed(anonymousAccess(topic, "post"));
  const sent = await bytesOfDataUri(input.image, FIELD);
  if (sent.length > pictureBytes) {
    const message = `A picture without a name can have up to ${pictureBytes / 1_000_000} MB.`;
    throw new Refusal("upload_too_large", { field: FIELD, message });
  }
  const epoch = epochOf(new Date(membership.at));
  const picture = { topicId: topic.id, sha256: digestOf(sent), epoch };
  const before = await addedBefore(db, picture, membership);
  if (before) return { src: storage.htmlUrl(before) };
  const words = await wordsOf(db, ctx, picture, membership);
  await assertProven(ctx, membership.proof, words);
  const image = await inspectImage(sent, FIELD);
  const sha256 = digestOf(image.bytes);
  const key = await storeUnfinished(ctx, image);
  try {
    await transact(db, async (trx) => {
      await holdTopic(trx, topic.id);
      assertAllowed(anonymousAccess(await anonymousTopic(trx, topic.id), "post"));
      const still = await wordsOf(trx, ctx, picture, membership);
      if (still.some((word, i) => word !== words[i])) throw new Refusal("terms_expired");
      await lockDigests(trx, [sha256]);
      await assertNotBlocked(trx, [sha256], FIELD);
      const slot = { slot_nullifier: membership.slotNullifier, signal: signalOf(picture) };
      const taken = await trx
        .insertInto("anonymous_pictures")
        .values({ topic_id: topic.id, epoch, key, ...slot })
        .onConflict((conflict) => conflict.columns(["topic_id", "slot_nullifier"]).doNothing())
        .returning("key")
        .executeTakeFirst();
      if (!taken) throw new Refusal("slot_used", { field: "membership.slotNullifier" });
      await trx.updateTable("uploads").set({ stored: true, sha256 }).where("key", "=", key).execute();
    });
  } catch (error) {
    await removeUploads(ctx, [key]);
    // Of the same picture sent twice at once, the second is answered like the first.
    const isLost = isRefusal(error) && error.code === "slot_used";
    const done = isLost ? await addedBefore(db, picture, membership) : null;
    if (done) return { src: storage.htmlUrl(done) };
    throw error;
  }
  return { src: storage.htmlUrl(key) };
};

const signalOf = (picture: Picture) => hex(pictureStatement(picture, picturesPerDay).signal);

/** Returns the picture that used this slot, if it was the same one. @throws Refusal slot_used if it was another */
async function addedBefore(
  db: Db,
  picture: Picture,
  { slotNullifier }: Body["membership"],
): Promise<string | null> {
  const used = await db
    .selectFrom("anonymous_pictures")
    .select(["signal", "key"])
    .where("topic_id", "=", picture.topicId)
    .where("slot_nullifier", "=", slotNullifier)
    .executeTakeFirst();
  if (used && used.signal !== signalOf(picture))
    throw new Refusal("slot_used", { field: "membership.slotNullifier" });
  return used?.key ?? null;
}

async function wordsOf(
  db: Db,
  ctx: Pick<Context, "anonymous" | "now">,
  picture: Picture,
  membership: Body["membership"],
) {
  const terms = { root: membership.root, at: new Date(membership.at) };
  const circumstances = await circumstancesOf(db, ctx, picture.topicId, terms);
  return unlinkedWords({ ...circumstances, ...pictureStatement(picture, picturesPerDay) }, membership);
}

/** Writes the row, then the file, so that the sweep finds every file after a crash. @returns the key */
async function storeUnfinished(
  { db, now, storage }: UploadContext,
  { bytes, contentType }: Image,
): Promise<string> {
  const owner = { env: storage.env, purpose: "post", userId: ANONYMOUS_ID, contentType } as const;
  // By its name, a reader's browser can tell that it is the picture that was posted.
  const key = newKey(owner, Buffer.from(digestOf(bytes), "hex").toString("base64url"));
  const size = bytes.length;
  await db
    .insertInto("uploads")
    .values({ key, user_id: ANONYMOUS_ID, content_type: contentType, size, created_at: now() })
    .execute();
  await storage.put(key, bytes, contentType);
  return key;
}

/** Forgets the slots of days that are over. */
export async function forgetPictureSlots({ db, now }: Pick<Context, "db" | "now">): Promise<void> {
  // Terms of yesterday hold some minutes into today.
  const yesterday = epochOf(now()) - 1;
  await db.deleteFrom("anonymous_pictures").where("epoch", "<", yesterday).execute();
}
