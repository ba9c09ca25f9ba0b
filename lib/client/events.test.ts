import { once } from "node:events";
import http, { type ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { operation } from "@/lib/contract/operation";
import { type EventOf, type FollowTiming, followEvents, type StreamState } from "./events";
import type { PageLife } from "./reach";

const op = operation({
  id: "test.follow",
  method: "GET",
  path: "/api/rooms/{room}/follow",
  summary: "",
  tag: "test",
  auth: "required",
  nickname: false,
  access: "signed-in",
  limit: { points: 1, seconds: 1 },
  params: z.object({ room: z.string() }),
  events: { said: z.object({ text: z.string() }), reset: z.object({}), ping: z.object({}) },
  responses: {},
  errors: [],
});

interface Visit {
  readonly url: string | undefined;
  readonly lastEventId: string | undefined;
  readonly response: ServerResponse;
}

/** Requests in order; the test chooses each response. */
let visits: Visit[];
let answer: (visit: Visit) => void;
let server: http.Server;
let baseUrl: string;
let stop: () => void;

beforeEach(async () => {
  visits = [];
  answer = open;
  stop = () => {};
  server = http.createServer((request, response) => {
    const lastEventId = request.headers["last-event-id"];
    const visit = { url: request.url, lastEventId: lastEventId?.toString(), response };
    visits.push(visit);
    answer(visit);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  baseUrl = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
});
afterEach(async () => {
  stop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function open({ response }: Visit): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
}
function refuse({ response }: Visit, status: number, headers: Record<string, string> = {}): void {
  response.writeHead(status, headers);
  response.end(JSON.stringify({ error: "Not now.", code: "too_many_streams", requestId: "r" }));
}
const said = (id: string, text: string) => `event: said\nid: ${id}\ndata: ${JSON.stringify({ text })}\n\n`;

const quick = { firstDelay: 5, longestDelay: 40, settled: 60_000, silence: 5_000, hidden: 20 };

function follow(timing: Partial<FollowTiming> = {}, life?: PageLife, lastEventId?: string) {
  const events: EventOf<typeof op>[] = [];
  const states: StreamState[] = [];
  stop = followEvents(
    op,
    { room: "a/b" },
    {
      baseUrl,
      life,
      lastEventId,
      timing: { ...quick, ...timing },
      onEvent: (event) => events.push(event),
      onState: (state) => states.push(state),
    },
  );
  const kinds = () => states.map((state) => state.kind);
  return { events, states, kinds };
}
const visited = (count: number) => vi.waitFor(() => expect(visits).toHaveLength(count));

describe("following events", () => {
  it("reads events in whatever pieces they come, and leaves out what does not fit its declaration", async () => {
    const { events, kinds } = follow();
    await visited(1);
    const bytes = Buffer.from(
      `${said("1", "안녕")}event: said\nid: 2\ndata: {"text":7}\n\nevent: unknown\ndata: {}\n\nevent: said\ndata: {"te\n\n${said("3", "b")}`,
    );
    for (const byte of bytes) visits[0]?.response.write(Buffer.of(byte));
    await vi.waitFor(() => expect(events).toHaveLength(2));
    expect(events).toEqual([
      { name: "said", data: { text: "안녕" } },
      { name: "said", data: { text: "b" } },
    ]);
    expect(visits[0]?.url).toBe("/api/rooms/a%2Fb/follow");
    expect(kinds()).toEqual(["connecting", "live"]);
  });

  it("comes back after a cut with the id of the last event, and with the first one it was given", async () => {
    const { events, kinds } = follow({}, undefined, "0");
    await visited(1);
    expect(visits[0]?.lastEventId).toBe("0");
    visits[0]?.response.write(said("7", "a"));
    await vi.waitFor(() => expect(events).toHaveLength(1));
    visits[0]?.response.destroy();
    await visited(2);
    expect(visits[1]?.lastEventId).toBe("7");
    visits[1]?.response.end(`event: reset\ndata: {}\n\n`);
    await visited(3);
    expect(visits[2]?.lastEventId).toBeUndefined();
    expect(kinds().slice(0, 4)).toEqual(["connecting", "live", "offline", "connecting"]);
  });

  it.each([429, 500, 502, 503])("tries again after %i", async (status) => {
    answer = (visit) => (visits.length < 3 ? refuse(visit, status) : open(visit));
    const { kinds } = follow();
    await visited(3);
    await vi.waitFor(() => expect(kinds().at(-1)).toBe("live"));
  });

  it.each([401, 403, 404])("is over after %i, and says why", async (status) => {
    answer = (visit) => refuse(visit, status);
    const { states } = follow();
    await vi.waitFor(() => expect(states.at(-1)).toMatchObject({ kind: "closed", error: { status } }));
    expect(states.at(-1)).toMatchObject({ error: { code: "too_many_streams" } });
    // Longer than any delay of this test would be.
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(visits).toHaveLength(1);
  });

  it("waits longer after each failure, and as long as the server asks", async () => {
    // Jitter is from half to one and a half; here exactly one.
    const random = vi.spyOn(Math, "random").mockReturnValue(0.5);
    const times: number[] = [];
    answer = (visit) => {
      times.push(Date.now());
      refuse(visit, 429, times.length === 3 ? { "retry-after": "1" } : {});
    };
    follow({ firstDelay: 40, longestDelay: 200 });
    await vi.waitFor(() => expect(times).toHaveLength(4), { timeout: 5000 });
    const [first = 0, second = 0, third = 0, fourth = 0] = times;
    expect(second - first).toBeGreaterThanOrEqual(39);
    expect(third - second).toBeGreaterThanOrEqual(79);
    expect(fourth - third).toBeGreaterThanOrEqual(990);
    random.mockRestore();
  });

  it("gives a silent connection up", async () => {
    follow({ silence: 50 });
    await visited(2);
  });

  it("gives its connection back while the page is hidden for long, and takes it again when seen", async () => {
    let hidden = false;
    let changed = () => {};
    const { kinds } = follow(
      {},
      {
        isHidden: () => hidden,
        isOnline: () => true,
        onChange: (listener) => {
          changed = listener;
          return () => {};
        },
      },
    );
    await vi.waitFor(() => expect(kinds().at(-1)).toBe("live"));
    const closed = once(visits[0]?.response ?? server, "close");
    hidden = true;
    changed();
    await closed;
    expect(kinds().at(-1)).toBe("paused");
    hidden = false;
    changed();
    await visited(2);
    await vi.waitFor(() => expect(kinds().at(-1)).toBe("live"));
  });

  it("takes no connection in a page that was never seen", async () => {
    let hidden = true;
    let changed = () => {};
    const life: PageLife = {
      isHidden: () => hidden,
      isOnline: () => true,
      onChange: (listener) => {
        changed = listener;
        return () => {};
      },
    };
    const { kinds } = follow({}, life);
    expect(kinds()).toEqual(["paused"]);
    changed();
    expect(visits).toHaveLength(0);
    hidden = false;
    changed();
    await vi.waitFor(() => expect(kinds().at(-1)).toBe("live"));
    expect(visits).toHaveLength(1);
  });

  it("knows that there is no network, and comes back at once when there is", async () => {
    let online = true;
    let changed = () => {};
    const { kinds } = follow(
      { firstDelay: 60_000, longestDelay: 60_000 },
      {
        isHidden: () => false,
        isOnline: () => online,
        onChange: (listener) => {
          changed = listener;
          return () => {};
        },
      },
    );
    await vi.waitFor(() => expect(kinds().at(-1)).toBe("live"));
    online = false;
    changed();
    expect(kinds().at(-1)).toBe("offline");
    online = true;
    changed();
    await visited(2);
  });

  it("says nothing after it was stopped", async () => {
    const { events, states } = follow();
    await vi.waitFor(() => expect(states).toHaveLength(2));
    const closed = once(visits[0]?.response ?? server, "close");
    stop();
    await closed;
    expect(events).toEqual([]);
    expect(states).toHaveLength(2);
  });
});
