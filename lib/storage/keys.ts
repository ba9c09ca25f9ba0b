import { randomUUID } from "node:crypto";
import { type UploadType, uploadTypes } from "@/lib/contract/limits";
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

/** The only form of a key, which cannot leave its folder. Files of earlier releases have client-chosen names. */
const keyForm =
  /^([a-z]{1,20})\/(posts|topics|avatars)\/([A-Za-z0-9_-]{1,80})\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/([A-Za-z0-9_-]{1,60}\.(?:png|jpg|gif|webp))$/;

/** The parts of a key. */
export interface KeyParts {
  readonly env: string;
  readonly purpose: UploadPurpose;
  readonly userId: string;
  readonly contentType: UploadType;
}

/** Parses a key; null for any other text. */
export function parseKey(key: string): KeyParts | null {
  const [, env, folder, userId, , name] = keyForm.exec(key) ?? [];
  const purpose = (["post", "topic", "avatar"] as const).find((each) => folders[each] === folder);
  const contentType = uploadTypes.find((type) => name?.endsWith(`.${extensions[type]}`));
  return env && userId && purpose && contentType ? { env, purpose, userId, contentType } : null;
}

const keyAnywhere =
  /[a-z]{1,20}\/(?:posts|topics|avatars)\/[A-Za-z0-9_-]{1,80}\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/[A-Za-z0-9_-]{1,60}\.(?:png|jpg|gif|webp)/g;

/** Returns all keys in a text. Some may be of other installations or of no file. */
export function keysIn(text: string): string[] {
  return [...new Set(text.match(keyAnywhere) ?? [])];
}

/**
 * Makes a new key. Never contains the client's file name, which may reveal people and places.
 * @param name of the file, by default random
 */
export function newKey({ env, purpose, userId, contentType }: KeyParts, name: string = randomUUID()): string {
  const key = `${env}/${folders[purpose]}/${userId}/${randomUUID()}/${name}.${extensions[contentType]}`;
  if (!parseKey(key)) throw new Error("the new storage key is invalid");
  return key;
}

const maxUrlLength = 2_000;

/** @throws Error for anything but a key, since it becomes a path in the file system or bucket */
export function assertKey(key: string): string {
  if (!parseKey(key)) throw new Error("not a storage key");
  return key;
}

/** Returns the key of a public URL below `base` (no trailing slash); null for any other URL. */
export function keyUnder(base: URL, address: string): string | null {
  // Parsing a long URL takes time, and ours are short.
  if (address.length > maxUrlLength || !URL.canParse(address)) return null;
  // Parsing resolves dots and backslashes, so the comparison sees what a browser would request.
  const { origin, pathname, username, password } = new URL(address);
  const folder = `${base.pathname.replace(/\/$/, "")}/`;
  if (origin !== base.origin || username || password || !pathname.startsWith(folder)) return null;
  const key = pathname.slice(folder.length);
  return parseKey(key) ? key : null;
}
