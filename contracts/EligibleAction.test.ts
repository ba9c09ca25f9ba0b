import {
  type Address,
  encodeFunctionData,
  type Hex,
  hashStruct,
  hashTypedData,
  keccak256,
  stringToBytes,
  toHex,
  zeroHash,
} from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { scopeWord } from "@/lib/proofs/derivations";
import {
  type EligibilityPublicInputs,
  encodeEligibilityPublicInputs,
} from "@/lib/proofs/layouts/eligibility";
import { byteWordMask, type SignedDigest, signedDigests } from "@/lib/proofs/registry";
import { attestersOf } from "@/lib/proofs/trust/attesters";
import {
  ELIGIBLE_ACTION_GAS,
  ELIGIBLE_ACTION_SCOPE,
  type PetitionSignature,
  petitionTypedData,
  statementHash,
} from "./eligible-action";
import { EligibleAction, VerifierFront } from "./index";
import { startLocalChain } from "./local-chain";
import { double } from "./test/double";
import { named } from "./test/refusal";

const CHAIN = 5042002;
const root = attestersOf("development").network_eligibility.root;
const scope = scopeWord(ELIGIBLE_ACTION_SCOPE);
const word = (n: number): Hex => toHex(n, { size: 32 });
/** What the verifier double says to each of these proofs. */
const PROOF = { valid: word(1), invalid: word(0), reverts: word(2), usualCost: word(5) };

let chain: Awaited<ReturnType<typeof startLocalChain>>;
let verifier: Address;
let petition: Address;
/** A statement nobody has signed yet, and somebody who has signed nothing. */
let message: PetitionSignature;
let nullifier: Hex;

beforeAll(async () => {
  chain = await startLocalChain(CHAIN);
  verifier = await chain.deploy({ abi: [], bytecode: await double("VerifierDouble") });
  const front = await chain.deploy(VerifierFront, [
    verifier,
    192n,
    byteWordMask("network_eligibility"),
    0n,
    signedDigests.indexOf("message_or_action"),
  ]);
  petition = await chain.deploy(EligibleAction, [front, root, scope]);
}, 60_000);
afterAll(() => chain?.stop());

let people = 0;
beforeEach(async () => {
  const { timestamp } = await chain.client.getBlock();
  nullifier = keccak256(stringToBytes(`person ${++people}`));
  message = { statement: statementHash(`petition ${people}`), nonce: 0n, deadline: timestamp + 3_600n };
});

/** The public inputs of an honest proof for a message, with changes. */
function inputs(of = message, changes: Partial<EligibilityPublicInputs> = {}): Hex[] {
  const { primaryType, types, domain } = petitionTypedData({ chainId: CHAIN, address: petition }, of);
  return encodeEligibilityPublicInputs({
    signalHash: zeroHash,
    action: {
      domainSeparator: hashStruct({
        primaryType: "EIP712Domain",
        types: { EIP712Domain: DOMAIN_FIELDS },
        data: domain,
      }),
      actionHash: hashStruct({ primaryType, types, data: of }),
    },
    merkleRoot: root,
    scope,
    nullifier,
    ...changes,
  });
}

const DOMAIN_FIELDS = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
];

/** Submits a signature; rejects with the contract's error. */
async function sign(of = message, words = inputs(of), proof: Hex = PROOF.valid) {
  const call = { ...EligibleAction, functionName: "sign", args: [proof, words, of] } as const;
  const request = { to: petition, data: encodeFunctionData(call), gas: ELIGIBLE_ACTION_GAS };
  await named(chain.client.call(request), [...EligibleAction.abi, ...VerifierFront.abi]);
  // Somebody else's account: the person's own wallet never shows up.
  const hash = await chain.wallet(3).sendTransaction(request);
  return chain.client.waitForTransactionReceipt({ hash });
}

function read(functionName: "signatures" | "nonces", of: Hex) {
  return chain.client.readContract({ address: petition, abi: EligibleAction.abi, functionName, args: [of] });
}

describe("a verified person's signature", () => {
  test("is counted, logged and remembered", async () => {
    const { blockNumber, gasUsed } = await sign(message, inputs(), PROOF.usualCost);
    expect(await read("signatures", message.statement)).toBe(1n);
    expect(await read("nonces", nullifier)).toBe(1n);
    const [event] = await chain.client.getContractEvents({
      ...{ address: petition, abi: EligibleAction.abi, eventName: "Signed", fromBlock: blockNumber },
    });
    expect(event?.args).toEqual({ statement: message.statement, nullifier, nonce: 0n });
    // The double burns what the front gives it but 4 million.
    expect(gasUsed).toBeLessThan(ELIGIBLE_ACTION_GAS);
  });

  test("is what an EIP-712 wallet signs for the typed data", async () => {
    const typed = petitionTypedData({ chainId: CHAIN, address: petition }, message);
    const [separator, actionHash] = await Promise.all([
      chain.client.readContract({
        address: petition,
        abi: EligibleAction.abi,
        functionName: "domainSeparator",
      }),
      chain.client.readContract({
        ...{ address: petition, abi: EligibleAction.abi, functionName: "actionHash", args: [message] },
      }),
    ]);
    const digest = keccak256(`0x1901${separator.slice(2)}${actionHash.slice(2)}`);
    expect(digest).toBe(hashTypedData(typed));
  });

  test("counts beside those of others, and a person may sign other statements, in order", async () => {
    await sign();
    const first = message;
    const second = { ...message, statement: statementHash("another"), nonce: 1n };
    await expect(sign({ ...second, nonce: 2n })).rejects.toThrow("WrongNonce");
    await sign(second);
    nullifier = keccak256(stringToBytes(`person ${++people}`));
    await sign(first);
    expect(await read("signatures", first.statement)).toBe(2n);
    expect(await read("signatures", second.statement)).toBe(1n);
  });

  test("needs gas for a whole verification; less reverts and is not a bad proof", async () => {
    const call = { ...EligibleAction, functionName: "sign", args: [PROOF.valid, inputs(), message] } as const;
    const request = { to: petition, data: encodeFunctionData(call), gas: 8_000_000n };
    const abi = [...EligibleAction.abi, ...VerifierFront.abi];
    await expect(named(chain.client.call(request), abi)).rejects.toThrow("NotEnoughGas");
  });
});

describe("is refused", () => {
  const wrong = keccak256("0x");
  const action = (changes: Partial<NonNullable<EligibilityPublicInputs["action"]>>) => {
    const words = inputs();
    const at = (from: number): Hex =>
      `0x${words
        .slice(from, from + 32)
        .map((w) => w.slice(-2))
        .join("")}`;
    return inputs(message, { action: { domainSeparator: at(32), actionHash: at(64), ...changes } });
  };

  test.each([
    ["NotForThisContract", () => action({ domainSeparator: wrong })],
    ["NotThisAction", () => action({ actionHash: wrong })],
    [
      "UntrustedAttesters",
      () => inputs(message, { merkleRoot: attestersOf("production").network_eligibility.root }),
    ],
    ["WrongScope", () => inputs(message, { scope: scopeWord("zk-community") })],
    ["SignalNotZero", () => inputs(message, { signalHash: wrong })],
    // Identity mode: a proof that authorises nothing.
    ["NotForThisContract", () => inputs(message, { action: null })],
    ["WrongNumberOfInputs", () => inputs().slice(1)],
    ["WrongNumberOfInputs", () => [...inputs(), word(0)]],
  ])("%s", async (error, words) => {
    await expect(sign(message, words())).rejects.toThrow(error);
    expect(await read("signatures", message.statement)).toBe(0n);
  });

  test("another action than the one proven: each field counts", async () => {
    for (const change of [{ statement: wrong }, { nonce: 1n }, { deadline: message.deadline + 1n }]) {
      await expect(sign({ ...message, ...change }, inputs())).rejects.toThrow("NotThisAction");
    }
  });

  test("a proof for the same contract on another chain, or for another contract on this one", async () => {
    for (const contract of [
      { chainId: 8453, address: petition },
      { chainId: CHAIN, address: verifier },
    ]) {
      const { domain } = petitionTypedData(contract, message);
      const types = { EIP712Domain: DOMAIN_FIELDS };
      const domainSeparator = hashStruct({ primaryType: "EIP712Domain", types, data: domain });
      await expect(sign(message, action({ domainSeparator }))).rejects.toThrow("NotForThisContract");
    }
  });

  test("after its deadline, and not in its last second", async () => {
    const { timestamp } = await chain.client.getBlock();
    await expect(sign({ ...message, deadline: timestamp - 1n })).rejects.toThrow("Expired");
    // eth_call runs in the latest block's time.
    const call = { ...message, deadline: timestamp };
    await named(
      chain.client.call({
        to: petition,
        data: encodeFunctionData({
          ...EligibleAction,
          functionName: "sign",
          args: [PROOF.valid, inputs(call), call],
        }),
        blockNumber: await chain.client.getBlockNumber(),
      }),
      EligibleAction.abi,
    );
  });

  test("a second time: the action is spent, and a person signs a statement once", async () => {
    await sign();
    await expect(sign()).rejects.toThrow("WrongNonce");
    await expect(sign({ ...message, nonce: 1n })).rejects.toThrow("AlreadySigned");
    expect(await read("signatures", message.statement)).toBe(1n);
  });

  test.each(["invalid", "reverts"] as const)("a proof that is %s", async (kind) => {
    await expect(sign(message, inputs(), PROOF[kind])).rejects.toThrow("InvalidProof");
  });

  test("words above a byte that add up to the right value", async () => {
    const words = inputs();
    // 0x00 0x100 reads as 0x01 0x00 where words are glued together.
    const at = words.findIndex(
      (w, i) => i >= 160 && BigInt(w) > 0n && i < 191 && BigInt(words[i + 1] ?? 0) < 255n,
    );
    words[at + 1] = word(Number(words[at + 1]) + 256 * Number(words[at]));
    words[at] = word(0);
    await expect(sign(message, words)).rejects.toThrow("InvalidProof");
  });
});

test("is deployed on a front of 192 byte words only, one that computes what the wallet signed", async () => {
  const all = byteWordMask("network_eligibility");
  const fronts: [bigint, bigint, SignedDigest][] = [
    [192n, all & ~(1n << 191n), "message_or_action"],
    [150n, byteWordMask("partner_country_attestation"), "message"],
    [193n, all, "message_or_action"],
    [192n, all, "message"],
    [192n, all, "none"],
  ];
  for (const [count, mask, signed] of fronts) {
    const front = await chain.deploy(VerifierFront, [
      verifier,
      count,
      mask,
      0n,
      signedDigests.indexOf(signed),
    ]);
    const deployment = chain.deploy(EligibleAction, [front, root, scope]);
    await expect(named(deployment, EligibleAction.abi)).rejects.toThrow("NotAnEligibilityFront");
  }
});
