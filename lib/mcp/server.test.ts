import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { expect, it, vi } from "vitest";
import { createClient } from "@/lib/client";
import { errors } from "@/lib/contract/errors";
import { mcpServer } from "./server";

it("tells nobody but the operator what went wrong inside a tool", async () => {
  const failed = vi.fn();
  // Not an answer of who_am_i, which the client checks against the contract.
  const fetch = async () => Response.json({ authenticated: "the database is at 10.0.0.7" });
  const server = mcpServer({ api: createClient({ fetch }), appUrl: "https://parley.example", failed });
  const [own, other] = InMemoryTransport.createLinkedPair();
  await server.connect(own);
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(other);
  const result = await client.callTool({ name: "who_am_i", arguments: {} });
  expect(result.isError).toBe(true);
  expect(result.content).toEqual([
    { type: "text", text: JSON.stringify({ code: "internal", message: errors.internal.message }) },
  ]);
  expect(failed).toHaveBeenCalledOnce();
});
