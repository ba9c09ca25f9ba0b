import { checkBundle, fetchBundle, NothingToVerify } from "@/lib/client/anonymous/evidence";
import type { Fault } from "@/lib/proofs/anonymous/evidence";
import { workerVerifier } from "./engine";

/** What a check found: `gone` when there are no words any more. */
type Found =
  | { readonly is: "good"; readonly crowd: number }
  | { readonly is: "bad"; readonly fault: Fault }
  | { readonly is: "gone" };

/** Checks a text in this browser. @throws ApiError; Error when it could not be checked here */
export async function checkText(postId: string, commentId: string | undefined): Promise<Found> {
  const address = new URL(`/posts/${postId}`, window.location.origin);
  if (commentId) address.searchParams.set("comment", commentId);
  try {
    const { fault, crowd } = await checkBundle(await fetchBundle(address.href), workerVerifier);
    return fault ? { is: "bad", fault } : { is: "good", crowd };
  } catch (error) {
    if (error instanceof NothingToVerify) return { is: "gone" };
    throw error;
  }
}
