import { createHash } from "node:crypto";
import { ADDRESS } from "@/lib/contract/limits";
import { boundedParser, plainText } from "@/lib/html";
import type { TextUsage } from "@/lib/policy/trust";
import { namesInHtml, namesInText } from "../mentions/find";

/** Returns what a plain text contains of what new accounts have limits for. */
export function usageOfText(text: string): TextUsage {
  return { links: addressesIn(text), images: 0, mentions: namesInText(text).length };
}

interface Media {
  readonly images?: readonly string[];
  readonly videos?: readonly string[];
}

/** As `usageOfText`, for a post. An address inside a link counts once; a video counts as a link. @param html sanitized */
export function usageOfPost(html: string, { images = [], videos = [] }: Media = {}): TextUsage {
  let links = videos.length;
  let shown = images.length;
  let inLink = false;
  let text = "";
  const parser = boundedParser({
    onopentag(tag, { href }) {
      if (tag === "img") shown += 1;
      if (tag !== "a" || href === undefined) return;
      inLink = true;
      links += 1;
    },
    ontext(words) {
      if (!inLink) text += words;
    },
    onclosetag(tag) {
      if (tag === "a") inLink = false;
      else text += " ";
    },
  });
  parser.end(html);
  return { links: links + addressesIn(text), images: shown, mentions: namesInHtml(html).length };
}

function addressesIn(text: string): number {
  return [...text.matchAll(ADDRESS)].length;
}

/** More marks on one letter than any language has (UAX 15, Stream-Safe Text Format); to sort thousands takes seconds. */
const LONG_MARKS = /(\p{M}{30})\p{M}+/gu;

/** Returns a text without what does not change how it reads: case, width, invisible characters, punctuation, spaces. */
export function normalized(text: string): string {
  return text
    .replace(LONG_MARKS, "$1")
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
}

/** Returns the words of a post that are compared with others. @param html sanitized */
export function wordsOfPost(title: string, html: string): string {
  return `${title}\n${plainText(html)}`;
}

/** Returns the name of a normalized text in `recent_texts`. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
