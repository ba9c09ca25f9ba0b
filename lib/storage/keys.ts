import { randomUUID } from "node:crypto";
import type { UploadType } from "@/lib/contract/limits";
import type { UploadPurpose } from "@/lib/contract/uploads";

const folders: Readonly<Record<UploadPurpose, string>> = {
  post: "posts",
  topic: "topics",
  avatar: "avatars",
};

const extensions: Readonly<Record<UploadType, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
};

/**
 * The only form of a key. A name never starts with a dot and holds no two in a row, so no key leads elsewhere. Files of
 * earlier releases carry the names their clients gave them.
 */
const keyForm =
  /^([a-z]{1,20})\/(posts|topics|avatars)\/([A-Za-z0-9_-]{1,80})\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/([A-Za-z0-9_-]{1,60}\.(?:png|jpg|gif|webp))$/;

/** Where a key says its file belongs. */
export interface KeyParts {
  readonly env: string;
  readonly purpose: UploadPurpose;
  readonly userId: string;
  readonly contentType: UploadType;
}

/** Reads a key; null for any text that is not exactly one. */
export function parseKey(key: string): KeyParts | null {
  const [, env, folder, userId, , name] = keyForm.exec(key) ?? [];
  const purpose = (["post", "topic", "avatar"] as const).find((each) => folders[each] === folder);
  const contentType = (["image/png", "image/jpeg", "image/gif", "image/webp"] as const).find((type) =>
    name?.endsWith(`.${extensions[type]}`),
  );
  return env && userId && purpose && contentType ? { env, purpose, userId, contentType } : null;
}

const keyAnywhere =
  /[a-z]{1,20}\/(?:posts|topics|avatars)\/[A-Za-z0-9_-]{1,80}\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/[A-Za-z0-9_-]{1,60}\.(?:png|jpg|gif|webp)/g;

/** Keys that stand in a text, in whatever addresses; some may be of other installations, or of no file. */
export function keysIn(text: string): string[] {
  return [...new Set(text.match(keyAnywhere) ?? [])];
}

/** A key nobody has. What its client calls the file stays with the client: names tell of people and places. */
export function newKey({ env, purpose, userId, contentType }: KeyParts): string {
  const name = `${randomUUID()}.${extensions[contentType]}`;
  const key = `${env}/${folders[purpose]}/${userId}/${randomUUID()}/${name}`;
  if (!parseKey(key)) throw new Error("a storage key was not of its own form");
  return key;
}

const longestAddress = 2_000;

/** @throws Error for anything but a key: a path of the file system or a bucket is made of it */
export function assertKey(key: string): string {
  if (!parseKey(key)) throw new Error("not a storage key");
  return key;
}

/** The key at the end of a public address that starts with `base` (no slash at its end); null for any other. */
export function keyUnder(base: URL, address: string): string | null {
  // Reading a long text as an address takes time, and ours are short.
  if (address.length > longestAddress || !URL.canParse(address)) return null;
  // Parsing resolves dots and backslashes, so what is compared is what a browser would ask for.
  const { origin, pathname, username, password } = new URL(address);
  const folder = `${base.pathname.replace(/\/$/, "")}/`;
  if (origin !== base.origin || username || password || !pathname.startsWith(folder)) return null;
  const key = pathname.slice(folder.length);
  return parseKey(key) ? key : null;
}
