import type { Address, Hex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { VerifierFront } from "@/contracts";
import { compileSolidity } from "@/contracts/compile";
import { type LocalChain, startLocalChain } from "@/contracts/local-chain";
import type { Deployment } from "./deployment";
import { VerificationUnavailableError } from "./errors";
import { verifyOnChain } from "./verify";

/** Stands in for a generated verifier: the proof's first byte says what happens. */
const SOURCE = `// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;
contract Mock {
    error ProofFailed();
    function verify(bytes calldata proof, bytes32[] calldata) external view returns (bool) {
        if (proof[0] == 0x00) return false;
        if (proof[0] == 0x02) revert ProofFailed();
        if (proof[0] == 0x03) { assembly { invalid() } }
        if (proof[0] == 0x04) { while (gasleft() > 0) {} }
        return true;
    }
}`;
const word: Hex = `0x${"00".repeat(31)}07`;

let chain: LocalChain;
let plain: Address;
let front: Address;

const at = (address: Address, rpcUrl = chain.anvil.rpcUrl): Pick<Deployment, "verifiers" | "chains"> => ({
  verifiers: { oidc_domain_attestation: { chainId: 31337, address, vkHash: word } },
  chains: [{ id: 31337, name: "local", rpcUrl, publicRpcUrl: rpcUrl, explorerUrl: null }],
});
const ask = (
  deployment: Pick<Deployment, "verifiers" | "chains">,
  proof: Hex,
  publicInputs: Hex[] = [word],
) => verifyOnChain(deployment, { circuit: "oidc_domain_attestation", proof, publicInputs });

beforeAll(async () => {
  chain = await startLocalChain(31337);
  const mock = compileSolidity({ "Mock.sol": SOURCE }).Mock;
  plain = await chain.deploy({ abi: [], bytecode: `0x${mock?.bytecode.slice(2)}` });
  front = await chain.deploy(VerifierFront, [plain, 1n, 0n, 0n, 0]);
}, 60_000);
afterAll(() => chain.stop());

describe("verifyOnChain", () => {
  it("says valid only when the contract says true", async () => {
    for (const address of [plain, front]) {
      expect(await ask(at(address), "0x01")).toBe("valid");
      expect(await ask(at(address), "0x00")).toBe("invalid");
    }
  });

  it("takes every way a contract can fail for invalid: revert, invalid opcode, all gas burnt", async () => {
    for (const address of [plain, front]) {
      for (const proof of ["0x02", "0x03", "0x04", "0x"] as const)
        expect(await ask(at(address), proof)).toBe("invalid");
    }
  });

  it("asks the front for canonical words", async () => {
    const beyond: Hex = `0x${"ff".repeat(32)}`;
    expect(await ask(at(front), "0x01", [beyond])).toBe("invalid");
    expect(await ask(at(front), "0x01", [word, word])).toBe("invalid");
  });

  it("does not take an unanswered question for an answer", async () => {
    const nobody: Address = "0x00000000000000000000000000000000000000aA";
    await expect(ask(at(nobody), "0x01")).rejects.toBeInstanceOf(VerificationUnavailableError);
    await expect(ask(at(plain, "http://127.0.0.1:1"), "0x01")).rejects.toBeInstanceOf(
      VerificationUnavailableError,
    );
    await expect(ask({ verifiers: {}, chains: [] }, "0x01")).rejects.toBeInstanceOf(
      VerificationUnavailableError,
    );
  });

  it("security F6: shows proofs to no other node where one's own is configured", async () => {
    const { verifiers, chains } = at(plain, "http://127.0.0.1:1");
    const { rpcUrl } = chain.anvil;
    const own = chains.map((one) => ({ ...one, verificationRpcUrl: rpcUrl }));
    expect(await ask({ verifiers, chains: own }, "0x01")).toBe("valid");
  });

  it("does not take a node's refusal or too little gas for an invalid proof", async () => {
    const errors = [
      { code: -32005, message: "limit exceeded" },
      { code: -32603, message: "internal error" },
      // The front's NotEnoughGas(), as a node reports it.
      { code: 3, message: "execution reverted", data: "0xdd629f86" },
    ];
    for (const error of errors) {
      const server = await answerWith({ jsonrpc: "2.0", id: 1, error });
      await expect(ask(at(front, server.url), "0x01")).rejects.toBeInstanceOf(VerificationUnavailableError);
      await server.close();
    }
    const garbage = await answerWith({ jsonrpc: "2.0", id: 1, result: "yes" });
    await expect(ask(at(front, garbage.url), "0x01")).rejects.toBeInstanceOf(VerificationUnavailableError);
    await garbage.close();
  }, 60_000);
});

async function answerWith(body: unknown) {
  const { createServer } = await import("node:http");
  const server = createServer((_, response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
