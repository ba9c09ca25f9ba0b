import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, vi } from "vitest";
import { z } from "zod";
import type { Tool } from "@/lib/mcp/tool";
import { runTool } from "./session";

vi.mock("./terminal", async (original) => ({
  ...(await original<typeof import("./terminal")>()),
  // A person at a terminal, who says that it is done.
  waitForPerson: async () => true,
}));

it("whoever comes back without the proof has not joined: the failure of a missing proof", async () => {
  vi.stubEnv("PARLEY_URL", "http://127.0.0.1:1");
  vi.stubEnv("XDG_CONFIG_HOME", path.join(tmpdir(), "no-such-folder"));
  const missing = { message: "Prove where you work.", url: "http://127.0.0.1:1/topics/1" };
  const joining: Tool = {
    ...{ name: "join_topic", title: "Join", description: "Joins.", does: "change", input: z.object({}) },
    run: async (_at, _input, { said }) =>
      said === null ? { ask: missing } : { result: { joined: false, ...missing } },
  };
  await expect(runTool(joining, {}, { json: true })).rejects.toMatchObject({ kind: "proof missing" });
  vi.unstubAllEnvs();
});
