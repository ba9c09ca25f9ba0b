import { beforeEach, describe, expect, it } from "vitest";
import { frameOf, HeldStream } from "@/lib/testing/held-stream";
import { eventsReply, webResponse } from "./reply";

let held: HeldStream;
beforeEach(() => {
  held = new HeldStream();
});
const respond = () => webResponse(eventsReply(held, "r1", new Headers()));

describe("event streams on a web response", () => {
  it("are opened by the first read, and closed by whoever stops", async () => {
    const reader = respond().body?.getReader();
    const read = reader?.read();
    const sink = await held.opened;
    expect(sink.send(frameOf("one"))).toBe(0);
    expect(sink.send(frameOf("four"))).toBe(4);
    expect((await read)?.value).toEqual(frameOf("one"));
    expect((await reader?.read())?.value).toEqual(frameOf("four"));
    const next = reader?.read();
    sink.send(frameOf("six"));
    expect((await next)?.value).toEqual(frameOf("six"));
    expect(held.openings).toBe(1);
    await reader?.cancel();
    expect(held.closings).toBe(1);
    expect(sink.send(frameOf("late"))).toBe(0);
    sink.end();
    expect(held.closings).toBe(1);
  });

  it("end after what was sent", async () => {
    const text = respond().text();
    const sink = await held.opened;
    sink.send(frameOf("one"));
    sink.end();
    expect(await text).toBe("one");
    expect(held.closings).toBe(1);
  });
});
