import { base64url } from "jose";
import { checkBundle, fetchBundle, NothingToVerify } from "@/lib/client/anonymous/evidence";
import type { Fault } from "@/lib/proofs/anonymous/evidence";
import { workerVerifier } from "./engine";

/** What a check found: `gone` when there are no words any more. */
type Found =
  | { readonly is: "good"; readonly crowd: number }
  | { readonly is: "bad"; readonly fault: Fault | "picture" }
  | { readonly is: "gone" };

/** A picture of this site, by the SHA-256 of its file. */
const PICTURE = /^\/uploads\/[a-z]+\/posts\/anonymous\/[0-9a-f-]{36}\/([A-Za-z0-9_-]{43})\.[a-z]+$/;

/** Whether each picture of a text is the one that its address names. Those in a bucket elsewhere are not looked at. */
async function arePictures(html: string): Promise<boolean> {
  const { images } = new DOMParser().parseFromString(html, "text/html");
  for (const image of images) {
    const [address, named] = PICTURE.exec(image.getAttribute("src") ?? "") ?? [];
    if (!address || !named) continue;
    const response = await fetch(address, { credentials: "omit" });
    if (!response.ok) throw new Error(`the picture's request returned ${response.status}`);
    const digest = await crypto.subtle.digest("SHA-256", await response.arrayBuffer());
    if (base64url.encode(new Uint8Array(digest)) !== named) return false;
  }
  return true;
}

/** Checks a text in this browser. @throws ApiError; Error when it could not be checked here */
export async function checkText(postId: string, commentId: string | undefined): Promise<Found> {
  const address = new URL(`/posts/${postId}`, window.location.origin);
  if (commentId) address.searchParams.set("comment", commentId);
  try {
    const { act, fault, crowd } = await checkBundle(await fetchBundle(address.href), workerVerifier);
    if (fault) return { is: "bad", fault };
    if (act.kind === "post" && !(await arePictures(act.content))) return { is: "bad", fault: "picture" };
    return { is: "good", crowd };
  } catch (error) {
    if (error instanceof NothingToVerify) return { is: "gone" };
    throw error;
  }
}
