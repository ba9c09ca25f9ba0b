import { contract } from "@/lib/contract";
import { errorBodySchema } from "@/lib/contract/error-body";
import type { Harness, TestUser } from "@/lib/testing/harness";
import { png } from "@/lib/testing/images";

/** What an upload is announced as. */
interface Announce {
  readonly filename?: string;
  readonly contentType?: "image/png" | "image/jpeg";
  readonly size?: number;
  readonly purpose?: "avatar";
}

/** Helpers of the upload tests. */
export function uploadsOf(h: Harness) {
  /** Sends a form as this user. */
  async function form(user: TestUser, file: File | string, purpose?: string) {
    const body = new FormData();
    body.set("file", file);
    if (purpose) body.set("purpose", purpose);
    const response = await h.fetch("http://localhost:3000/api/upload", {
      method: "POST",
      body,
      headers: { authorization: `Bearer ${user.token}` },
    });
    const answer: unknown = await response.json();
    const failed = errorBodySchema.safeParse(answer);
    if (failed.success) return { status: response.status, code: failed.data.code, field: failed.data.field };
    const { publicUrl } = contract.uploads.create.responses[201].parse(answer);
    return { status: response.status, publicUrl };
  }

  return {
    form,
    /** Requests an upload URL. */
    announce: (user: TestUser, more: Announce = {}) =>
      user.api.call(contract.uploads.create, {
        filename: "cat.png",
        contentType: "image/png",
        size: png().length,
        ...more,
      }),
    /** PUTs bytes to an upload URL; the code is null if they were accepted. */
    async put(url: string | undefined, bytes: Uint8Array, headers: Record<string, string> = {}) {
      const response = await h.fetch(url ?? "", {
        method: "PUT",
        body: Buffer.from(bytes),
        headers: { "content-type": "image/png", ...headers },
      });
      const text = await response.text();
      return { status: response.status, code: text ? errorBodySchema.parse(JSON.parse(text)).code : null };
    },
    /** Uploads an image and returns its public URL. */
    async upload(user: TestUser, bytes: Buffer = png(), purpose?: string) {
      const { publicUrl } = await form(user, new File([new Uint8Array(bytes)], "cat.png"), purpose);
      if (!publicUrl) throw new Error("the upload was refused");
      return publicUrl;
    },
    /** Status of a GET. */
    status: async (url: string) => (await h.fetch(url)).status,
    rowsOf: (user: TestUser) =>
      h.db
        .selectFrom("uploads")
        .select(["key", "stored", "size"])
        .where("user_id", "=", user.userId)
        .execute(),
  };
}
