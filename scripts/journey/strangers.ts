import assert from "node:assert/strict";
import type { ClientEvmSigner } from "@x402/evm";
import { createClient } from "@/lib/client";
import { contract } from "@/lib/contract";
import { developmentKey } from "../stack/accounts";
import { approveDeviceCode } from "../stack/idp/sign-in";
import type { Member } from "../stack/member";
import { step } from "./step";
import { visit } from "./stranger";
import { byCli, byMcp } from "./tools";

/** A member who makes the topics, and what the strangers are told: an address, a title, and who pays. */
interface Hosts {
  readonly appUrl: string;
  readonly owner: Member;
  readonly domain: string;
  readonly categoryId: string;
  readonly run: string;
  readonly wallet: ClientEvmSigner;
}

/**
 * Programs that have seen nothing but the answers of the base address join gated topics and post: by HTTP, by MCP with stock
 * clients of both revisions, and by the CLI.
 */
export async function strangers({ appUrl, owner, domain, categoryId, run, wallet }: Hosts): Promise<void> {
  const ways = ["http", "2026-07-28", "2025-11-25", "cli"] as const;
  const titleOf = (way: (typeof ways)[number]) => `Strangers by ${way} ${run}`;
  for (const way of ways) {
    await owner.api.call(contract.topics.create, {
      ...{ title: titleOf(way), description: `For ${domain}, by ${way}.`, categoryId },
      ...{ proofType: "workspace", requiredDomain: domain },
    });
  }
  const email = `stranger@${domain}`;
  const person = {
    approve: (uri: string, code: string) => approveDeviceCode(uri, code, email),
    nickname: `stranger_${run}`,
    wallet,
  };
  const { token } = await step("a program with an address alone joins and posts by HTTP", async (say) => {
    const seen = await visit(appUrl, titleOf("http"), person);
    assert.deepEqual(seen.wrongTurns, []);
    say(`${seen.steps} requests, no wrong turns`);
    return seen;
  });
  const api = createClient({ baseUrl: appUrl, token: () => token });
  const automation = await step("its person makes it a token for automation", async () => {
    const made = await api.call(contract.auth.createToken, {
      name: "stranger",
      scopes: ["read", "write", "topics"],
    });
    return made.token;
  });
  for (const revision of ["2026-07-28", "2025-11-25"] as const) {
    await step(`joins and posts by MCP ${revision} in at most 8 calls`, async (say) => {
      const sent = await byMcp(revision, { base: appUrl, token: automation, topicTitle: titleOf(revision) });
      assert(sent <= 8, `${sent} messages`);
      say(`${sent} messages`);
    });
  }
  await step("another becomes a member, joins and posts by the CLI alone", async (say) => {
    const commands = await byCli({
      ...{ base: appUrl, topicTitle: titleOf("cli"), nickname: `cli_${run}`, key: developmentKey("journey") },
      approve: (uri, code) => approveDeviceCode(uri, code, `cli@${domain}`),
    });
    say(`${commands} commands`);
  });
}
