import { bytesToHex } from "viem";
import { ApiError } from "@/lib/client";
import { contract } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { pictureStatement } from "@/lib/proofs/anonymous/act";
import type { Terms } from "@/lib/proofs/anonymous/membership";
import { change, type SendingParts } from "./entries";
import {
  type AnonymousEntry,
  type KnownCrowd,
  read,
  type WaitingPicture,
  type WaitingText,
  write,
} from "./store";

type WaitingPost = Extract<WaitingText, { readonly kind: "post" }>;

/** No slot is left for another picture today. */
export class NoPictureSlots extends Error {
  override name = "NoPictureSlots";
}

/**
 * Uploads the pictures of a post that were not uploaded yet, each with a proof of its own.
 * @returns the post with the addresses of all of them
 * @throws NoPictureSlots; what the outbox reports
 */
export async function withPictures(
  entry: AnonymousEntry,
  act: WaitingPost,
  ready: { readonly crowd: KnownCrowd; readonly terms: Terms; readonly secret: bigint },
  parts: SendingParts,
): Promise<WaitingPost> {
  let current = act;
  for (const [at, picture] of act.pictures.entries()) {
    if (picture.src !== null) continue;
    const src = await upload(entry, act.topicId, picture, ready, parts);
    current = { ...current, pictures: current.pictures.with(at, { ...picture, src }) };
    // What is there already is not uploaded again after a lost answer.
    await change(entry, { act: current });
  }
  return current;
}

async function upload(
  { userId }: AnonymousEntry,
  topicId: string,
  { bytes, type }: WaitingPicture,
  { crowd, terms, secret }: Parameters<typeof withPictures>[2],
  parts: SendingParts,
): Promise<string> {
  const { epoch } = terms;
  const digest = await crypto.subtle.digest("SHA-256", new Uint8Array(bytes));
  const sha256 = bytesToHex(new Uint8Array(digest)).slice(2);
  const limit = LIMITS.anonymous.picturesPerDay;
  const statement = pictureStatement({ topicId, sha256, epoch }, limit);
  const image = `data:${type};base64,${base64Of(bytes)}`;
  const { root, leaves, termsKey } = crowd;
  const slots = [userId, topicId, "pictures", String(epoch)] as const;
  for (let slot = (await read("slots", ...slots)) ?? 0; slot < limit; slot++) {
    const proven = await parts.proveUnlinked(statement, terms, { secret, root, leaves, slot });
    const membership = { root: root.number, at: terms.at, ...proven };
    try {
      const key = termsKey ?? undefined;
      const { src } = await parts.nobody.call(contract.anonymous.picture, {
        topicId,
        key,
        image,
        membership,
      });
      await write("slots", slot + 1, ...slots);
      return src;
    } catch (error) {
      // Another device used it.
      if (!(error instanceof ApiError && error.code === "slot_used")) throw error;
    }
  }
  throw new NoPictureSlots("no slot is left for a picture today");
}

const CHUNK = 0x8000;

function base64Of(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += CHUNK)
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(binary);
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/**
 * Returns the HTML of a post with its pictures below the text, exactly as the server stores it.
 * @param sanitize as the server does
 */
export function contentWithPictures(
  { content, pictures }: Pick<WaitingPost, "content" | "pictures">,
  sanitize: SendingParts["sanitize"],
): string {
  const images = pictures.flatMap(({ src, alt }) =>
    src === null ? [] : [`<p><img src="${escaped(src)}" alt="${escaped(alt)}"></p>`],
  );
  return images.length === 0 ? content : sanitize(content + images.join(""));
}
