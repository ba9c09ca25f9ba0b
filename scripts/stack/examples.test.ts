import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { getAddress, zeroHash } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { EligibleAction, VerifierFront } from "@/contracts";
import { ELIGIBLE_ACTION_SCOPE } from "@/contracts/eligible-action";
import { startLocalChain } from "@/contracts/local-chain";
import { double } from "@/contracts/test/double";
import { scopeWord } from "@/lib/proofs/derivations";
import { byteWordMask, signedDigests } from "@/lib/proofs/registry";
import { attestersOf } from "@/lib/proofs/trust/attesters";
import { ContractBook } from "./contract-book";
import { ensureExamples } from "./contracts";

let chain: Awaited<ReturnType<typeof startLocalChain>>;
let dir: string;
beforeAll(async () => {
  chain = await startLocalChain(5042002);
  dir = await mkdtemp(path.join(os.tmpdir(), "parley-examples-"));
}, 60_000);
afterAll(async () => {
  await chain?.stop();
  await rm(dir, { recursive: true, force: true });
});

it("the petition is deployed on the chain of its verifier, once per verifier", async () => {
  const book = await ContractBook.open(path.join(dir, "contracts.json"));
  const behind = await chain.deploy({ abi: [], bytecode: await double("VerifierDouble") });
  const signed = signedDigests.indexOf("message_or_action");
  const newFront = () =>
    chain.deploy(VerifierFront, [behind, 192n, byteWordMask("network_eligibility"), 0n, signed]);
  const ensure = (address: Awaited<ReturnType<typeof newFront>>) =>
    ensureExamples(book, [chain], { network_eligibility: { chainId: 5042002, address, vkHash: zeroHash } });

  const front = await newFront();
  const made = await ensure(front);
  expect(made?.eligibleAction?.chainId).toBe(5042002);
  expect(await ensure(front)).toEqual(made);
  expect(await ensure(await newFront())).not.toEqual(made);

  const address = made?.eligibleAction?.address ?? "0x";
  const read = (functionName: "front" | "attesterRoot" | "scope") =>
    chain.client.readContract({ address, abi: EligibleAction.abi, functionName });
  expect(await read("front")).toBe(getAddress(front));
  expect(await read("attesterRoot")).toBe(attestersOf("development").network_eligibility.root);
  expect(await read("scope")).toBe(scopeWord(ELIGIBLE_ACTION_SCOPE));

  // A circuit that is not built has no example.
  expect(await ensureExamples(book, [chain], {})).toBeUndefined();
}, 60_000);
