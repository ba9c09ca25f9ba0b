import { beforeEach, describe, expect, it, vi } from "vitest";
import { UnfitPictureError } from "./pictures";
import { Uploads } from "./uploads";

interface Sent {
  readonly name: string;
  readonly progress: (part: number) => void;
  readonly arrive: (url: string) => void;
  readonly fail: (cause: unknown) => void;
}

let sent: Sent[] = [];
let begun = 0;
const forgotten: string[] = [];
const file = (name: string) => new File(["x"], name, { type: "image/png" });

/** STUB of what a browser does with pictures: sizes are given, bytes leave when a test says so. */
function uploads(): Uploads {
  return new Uploads({
    prepare: async (one) => {
      if (one.name === "unfit") throw new UnfitPictureError("type");
      return { file: one, width: 4, height: 3, isReduced: one.name === "large" };
    },
    send: ({ name }, { onProgress, signal }) => {
      begun += 1;
      return new Promise((arrive, fail) => {
        signal.addEventListener("abort", () => fail(signal.reason));
        sent.push({ name, progress: onProgress, arrive, fail });
      });
    },
    preview: ({ name }) => `blob:${name}`,
    forgetPreview: (preview) => forgotten.push(preview),
  });
}

beforeEach(() => {
  sent = [];
  begun = 0;
  forgotten.length = 0;
});

describe("uploads", () => {
  it("show a picture at once, say how far it is, and end with its address", async () => {
    const all = uploads();
    const id = all.add(file("large"));
    expect(all.get(id)).toMatchObject({ state: "waiting", preview: "blob:large", url: null });
    await vi.waitFor(() => expect(begun).toBe(1));
    sent[0]?.progress(0.5);
    expect(all.get(id)).toMatchObject({ state: "sending", part: 0.5, width: 4, height: 3, isReduced: true });
    sent[0]?.arrive("https://a.example/u.png");
    await all.settled([id]);
    expect(all.get(id)).toMatchObject({ state: "done", url: "https://a.example/u.png" });
  });

  it("are two at once", async () => {
    const all = uploads();
    for (const name of ["a", "b", "c"]) all.add(file(name));
    await vi.waitFor(() => expect(begun).toBe(2));
    sent[0]?.arrive("u");
    await vi.waitFor(() => expect(sent.map(({ name }) => name)).toEqual(["a", "b", "c"]));
  });

  it("that fail keep their picture and can be sent again; what cannot be sent says why", async () => {
    const all = uploads();
    const id = all.add(file("a"));
    const unfit = all.add(file("unfit"));
    await vi.waitFor(() => expect(begun).toBe(1));
    const cause = new Error("lost");
    sent[0]?.fail(cause);
    await all.settled([id, unfit]);
    expect(all.get(id)).toMatchObject({ state: "failed", problem: null, cause, preview: "blob:a" });
    expect(all.get(unfit)).toMatchObject({ state: "failed", problem: "type" });
    // Only the network comes back, not a better file.
    all.retryUnanswered();
    expect(all.get(unfit)?.state).toBe("failed");
    await vi.waitFor(() => expect(begun).toBe(2));
    sent[1]?.arrive("u");
    await all.settled([id]);
    expect(all.get(id)).toMatchObject({ state: "done", url: "u" });
  });

  it("can be cancelled while they wait and while they leave", async () => {
    const all = uploads();
    const ids = ["a", "b", "c"].map((name) => all.add(file(name)));
    await vi.waitFor(() => expect(begun).toBe(2));
    const [first = "", , waiting = ""] = ids;
    all.cancel(first);
    all.cancel(waiting);
    for (const id of [first, waiting])
      expect(all.get(id)).toMatchObject({ state: "failed", problem: "cancelled" });
    sent[1]?.arrive("u");
    await all.settled(ids);
    expect(begun).toBe(2);
    // What the network says of it afterwards changes nothing.
    expect(all.get(first)?.problem).toBe("cancelled");
    all.retry(waiting);
    await vi.waitFor(() => expect(sent.map(({ name }) => name)).toEqual(["a", "b", "c"]));
  });

  it("tell who watches, and let go of everything at the end", async () => {
    const all = uploads();
    const seen = vi.fn();
    const stop = all.watch(seen);
    const id = all.add(file("a"));
    expect(seen).toHaveBeenCalledTimes(2);
    stop();
    await vi.waitFor(() => expect(begun).toBe(1));
    all.end();
    expect(all.get(id)?.problem).toBe("cancelled");
    expect(forgotten).toEqual(["blob:a"]);
    expect(seen).toHaveBeenCalledTimes(2);
  });
});
