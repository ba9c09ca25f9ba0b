import type { BinaryAnswer } from "@/lib/contract";

/** Bytes as an answer, in a frame that keeps a browser from treating them as anything but what they are said to be. */
export function binaryReply(answer: unknown, requestId: string, given: Headers): Response {
  if (!isBinaryAnswer(answer)) throw new Error("the handler of a binary operation returned no bytes");
  const headers = new Headers(given);
  for (const [name, value] of Object.entries(answer.headers ?? {})) headers.set(name, value);
  headers.set("content-type", answer.contentType);
  headers.set("x-request-id", requestId);
  headers.set("x-content-type-options", "nosniff");
  headers.set("content-security-policy", "default-src 'none'; sandbox");
  // No other site shows our pictures, or uses us to fetch those of others.
  headers.set("cross-origin-resource-policy", "same-origin");
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  return new Response(answer.body, { status: 200, headers });
}

function isBinaryAnswer(value: unknown): value is BinaryAnswer {
  return typeof value === "object" && value !== null && "contentType" in value && "body" in value;
}
