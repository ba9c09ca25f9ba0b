import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { keepShell, navigate } from "./navigation";
import { keep, saved } from "./saved";
import { memoryCaches, pageOf } from "./testing";

const at = "https://parley.example";
const noNetwork = () => Promise.reject<Response>(new TypeError("Failed to fetch"));

/** Navigates to a page. @returns the response, and all work after it */
async function go(path: string, network: () => Promise<Response>, preloaded?: Response) {
  vi.stubGlobal("fetch", network);
  const works: Promise<unknown>[] = [];
  const response = await navigate({
    request: new Request(at + path),
    preloaded: Promise.resolve(preloaded),
    later: (work) => void works.push(work),
  });
  await Promise.all(works);
  return response;
}

beforeEach(() => {
  vi.stubGlobal("caches", memoryCaches());
});
afterEach(() => {
  vi.useRealTimers();
});

describe("going to a page", () => {
  it("takes it from the network and keeps it", async () => {
    const answer = await go("/", async () => pageOf("guest", "fresh"));
    expect(await answer.text()).toContain("fresh");
    expect(await (await saved(`${at}/`))?.text()).toContain("fresh");
  });

  it("uses the answer that was asked for while the worker started", async () => {
    const answer = await go("/", noNetwork, pageOf("guest", "early"));
    expect(await answer.text()).toContain("early");
  });

  it("shows the copy where there is no network", async () => {
    await keep(`${at}/`, pageOf("guest", "kept"));
    const text = await (await go("/?sort=hot", noNetwork)).text();
    expect(text).not.toContain("kept");
    expect(await (await go("/", noNetwork)).text()).toContain("kept");
  });

  it("leads to the offline page where there is no copy, and says where one wanted to go", async () => {
    const answer = await go("/topics?q=a b", noNetwork);
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toBe(`${at}/offline?to=%2Ftopics%3Fq%3Da%2520b`);
  });

  it("answers the offline page as this reader last had it, else as a guest", async () => {
    vi.stubGlobal("fetch", async (_path: string, init?: RequestInit) => {
      expect(init?.credentials).toBe("omit");
      return pageOf("guest", "nothing here");
    });
    await keepShell();
    expect(await (await go("/offline?to=%2F", noNetwork)).text()).toContain("nothing here");
    await keep(`${at}/offline`, pageOf("u_ada", "in my colours"));
    expect(await (await go("/offline?to=%2F", noNetwork)).text()).toContain("in my colours");
  });

  it("shows the copy when the network takes too long, and the page when there is no copy", async () => {
    await keep(`${at}/`, pageOf("guest", "kept"));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let answer = (_page: Response) => {};
    const pending = new Promise<Response>((resolve) => {
      answer = resolve;
    });
    const feed = go("/", () => pending);
    const topics = go("/topics", () => pending);
    await vi.advanceTimersByTimeAsync(6000);
    // Work after the response waits for the network too, so check the copy first.
    answer(pageOf("guest", "late"));
    expect(await (await feed).text()).toContain("kept");
    expect(await (await topics).text()).toContain("late");
  });

  it("does not turn an answer of the server into a copy", async () => {
    await keep(`${at}/`, pageOf("guest", "kept"));
    expect((await go("/", async () => pageOf("guest", "broken", { status: 500 }))).status).toBe(500);
  });
});
