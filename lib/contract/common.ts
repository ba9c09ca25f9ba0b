import { z } from "zod";
import { LIMITS, NICKNAME } from "./limits";
import { isVisible, withoutBidiControls } from "./visible";

/** Text as the user wrote it: trimmed, 1 to `max` characters, no NUL bytes. Nothing looks into one that is too long. */
export function rawText(max: number, min = 1) {
  return z
    .string()
    .trim()
    .min(min)
    .max(max, { abort: true })
    .refine((s) => !s.includes("\0"), { error: "must not contain NUL bytes" });
}

/** Text for people: `rawText` with at least one visible character, without bidirectional control characters. */
export function text(max: number, min = 1) {
  return rawText(max, min)
    .overwrite((s) => withoutBidiControls(s).trim())
    .refine((s) => (min === 0 && s === "") || isVisible(s), { error: "must have something to see" });
}

export const uuid = z.uuid();
export const dateTime = z.iso.datetime();

const wholeNumber = z.union([
  z.string().regex(/^\d{1,9}$/, "must be a whole number of at least 0"),
  z.int().min(0),
]);

/** Page size: a whole number; above `max` it is clamped (design/api.md, General). */
export function pageLimit(standard: number, max: number) {
  return wholeNumber
    .transform((v) => Math.min(Number(v), max))
    .default(standard)
    .meta({ openapi: { type: "integer", minimum: 0, maximum: max, default: standard } });
}

const pageOffset = wholeNumber
  .transform(Number)
  .default(0)
  .meta({ openapi: { type: "integer", minimum: 0, default: 0 } });

/** Opaque keyset cursor as returned in `nextCursor`. */
export const cursor = z.string().min(1).max(300).optional();
export const nextCursor = z.string().nullable();

/** Query fields of a paged list. */
export const pageFields = (standard: number, max: number) => ({
  limit: pageLimit(standard, max),
  offset: pageOffset,
  cursor,
});

export const countryCode = z.string().regex(/^[A-Z]{2}$/, "must be an ISO 3166-1 alpha-2 code in capitals");
export const role = z.enum(["owner", "admin", "member"]);
export type Role = z.infer<typeof role>;
export const visibility = z
  .enum(["public", "private", "secret"])
  .describe(
    "`public`: everybody reads it; `private`: everybody finds it and members read it; `secret`: only members find it.",
  );
export const nickname = z
  .string()
  .regex(NICKNAME, `must be ${LIMITS.nickname.min}-${LIMITS.nickname.max} letters, digits or underscores`);

/** Why something is deleted, for its author and the log; nobody asks authors for a reason. */
export const removalBody = z.object({ reason: text(LIMITS.moderation.reason).optional() });

/** Id of another user, as a request names it. */
export const userId = z.string().min(1).max(100);
/** A user as lists show them. */
export const person = z
  .object({
    userId: z.string(),
    nickname: z.string(),
    profileImage: z.string().nullable(),
  })
  .meta({ id: "Person" });

/** Members a text mentions as @nickname, under their current nicknames. */
export const mentions = z.array(
  z.object({ userId: z.string(), nickname: z.string() }).meta({ id: "Mention" }),
);

/** A host name as in an email domain, lower case. */
export const emailDomain = z
  .string()
  .trim()
  .toLowerCase()
  .max(LIMITS.topic.domain)
  .regex(/^(?=.{1,64}$)([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/, "must be a domain like example.com");

export const hexString = z.string().regex(/^0x([0-9a-fA-F]{2})*$/, "must be 0x-prefixed hex of whole bytes");
/** Order of the scalar field of BN254: FIELD_MODULUS of lib/proofs, with which crowd.api.test.ts compares it. */
const FIELD_MODULUS = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
/** An element of it, in its one form. */
export const fieldElement = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/, { error: "must be 0x and 64 lower-case hex digits", abort: true })
  .refine((hex) => BigInt(hex) < FIELD_MODULUS, { error: "must be below the field modulus" });

/** A proof in a request: at most 64 KiB. */
export const proofHex = hexString.max(131_074);
/** A list of words, or one blob of 32-byte words. */
export const publicInputs = z.union([z.array(hexString.max(66)).min(1).max(512), hexString.max(32_770)]);
