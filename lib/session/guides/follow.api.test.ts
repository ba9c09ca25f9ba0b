import { execFileSync } from "node:child_process";
import {
  type Address,
  concat,
  type Hex,
  keccak256,
  numberToHex,
  recoverPublicKey,
  size,
  stringToBytes,
  toHex,
  toRlp,
  trim,
} from "viem";
import { publicKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { gate, makeTopic, signIn } from "@/lib/community/testing";
import { contract } from "@/lib/contract";
import { errorBodySchema } from "@/lib/contract/error-body";
import { proofRequirement } from "@/lib/contract/proof-requirement";
import { buildCountryInputs } from "@/lib/proofs/attestation/country";
import { buildEligibilityInputs } from "@/lib/proofs/attestation/eligibility";
import { countryWireInputsSchema, eligibilityWireInputsSchema } from "@/lib/proofs/attestation/wire";
import { hex32Schema, hexSchema } from "@/lib/proofs/hex";
import { AttestationWorld } from "@/lib/proofs/testing/attestation-world";
import { person } from "@/lib/proofs/testing/attestations";
import { allVerifiers, testDeployment } from "@/lib/testing/deployment";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { fakeChain, proofBytes, testTrust } from "@/lib/testing/proofs";

/**
 * An agent without prior knowledge follows the 402 response to the join. Its commands run in a shell whose curl
 * prints what it would send, its formulas are repeated here, and the prover's own builder reads the result. Only the
 * prover is missing: the proof is made up and the chain accepts it.
 */
let h: Harness;
let owner: TestUser;
beforeAll(async () => {
  const { deployment } = new AttestationWorld("network_eligibility");
  h = await createHarness({
    trust: testTrust,
    verify: fakeChain().verify,
    deployment: {
      verifiers: allVerifiers,
      attestations: deployment.attestations,
      chains: [...deployment.chains, ...testDeployment().chains.filter(({ id }) => id !== 8453)],
    },
  });
  owner = await signIn(h, "owner");
});
afterAll(() => h.close());

type Requirement = z.infer<typeof proofRequirement>;
type Wallet = Pick<typeof person, "address" | "signMessage">;

/** Returns what a shell makes of a command's URL and body. */
function curl(command: string, env: Record<string, string | number> = {}): { url: string; body: unknown } {
  const prints = `curl() { while [ $# -gt 0 ]; do case "$1" in http*) echo "$1";; -d) shift; echo "$1";; -[XH]) shift;; esac; shift; done; }`;
  const assignments = Object.entries(env).map(([name, value]) => [name, String(value)]);
  const printed = execFileSync("bash", ["--norc", "-uc", `${prints}\n${command}`], {
    env: { PATH: process.env.PATH, ...Object.fromEntries(assignments) },
    encoding: "utf8",
  });
  const [url = "", ...body] = printed.trimEnd().split("\n");
  return { url, body: body.length === 0 ? null : JSON.parse(body.join("\n")) };
}

/** The step whose title has this word. */
function step({ guide }: Requirement, word: string) {
  const found = guide.steps.agent.find(({ title }) => title.includes(word));
  return { text: found?.description ?? expect.fail(`no step ${word}`), code: found?.code ?? "" };
}

/** The 402 of a join without proof. */
async function asked(user: TestUser, topicId: string): Promise<Requirement> {
  const { status, body } = await h.send("POST", `/api/topics/${topicId}/join`, { token: user.token });
  expect(status).toBe(402);
  return proofRequirement.parse(errorBodySchema.parse(body).proofRequirement);
}

const indexAnswer = z.object({
  data: z.object({ attestations: z.tuple([z.object({ txid: hex32Schema })]) }),
});
const quantity = z.string().transform(BigInt);
const transactionAnswer = z.object({
  result: z.object({
    chainId: quantity,
    nonce: quantity,
    maxPriorityFeePerGas: quantity,
    maxFeePerGas: quantity,
    gas: quantity,
    to: hexSchema,
    value: quantity,
    input: hexSchema,
    yParity: quantity,
    r: quantity,
    s: quantity,
  }),
});

/** A number in RLP. */
const whole = (value: bigint): Hex => (value === 0n ? "0x" : trim(numberToHex(value, { size: 32 })));

/** Steps "Find" and "Fetch": from the wallet to its signed attestation transaction. */
async function attestationOf(needed: Requirement, wallet: Wallet, world: AttestationWorld) {
  const post = async ({ url, body }: { url: string; body: unknown }): Promise<unknown> =>
    await (await world.fetch(url, { method: "POST", body: JSON.stringify(body) })).json();
  const index = indexAnswer.parse(await post(curl(step(needed, "Find").code, { WALLET: wallet.address })));
  const { txid } = index.data.attestations[0];
  const answer = await post(curl(step(needed, "Fetch its transaction").code, { TXID: txid }));
  const tx = transactionAnswer.parse(answer).result;
  const unsigned = [
    whole(tx.chainId),
    whole(tx.nonce),
    whole(tx.maxPriorityFeePerGas),
    whole(tx.maxFeePerGas),
    whole(tx.gas),
    tx.to,
    whole(tx.value),
    tx.input,
    [],
  ];
  const raw = concat(["0x02", toRlp([...unsigned, whole(tx.yParity), whole(tx.r), whole(tx.s)])]);
  expect(keccak256(raw)).toBe(txid);
  const attester = await recoverPublicKey({
    hash: keccak256(concat(["0x02", toRlp(unsigned)])),
    signature: {
      r: numberToHex(tx.r, { size: 32 }),
      s: numberToHex(tx.s, { size: 32 }),
      yParity: Number(tx.yParity),
    },
  });
  return { raw, attester };
}

const places = z.array(
  z.object({ signer: z.string(), leaf_index: z.number(), merkle_proof: z.array(hex32Schema) }),
);

/** The variables of the prove command, by the formulas of the guide. */
async function variables(
  needed: Requirement,
  wallet: Wallet,
  found: { readonly raw: Hex; readonly attester: Hex },
  signalHash: Hex,
): Promise<Record<string, string | number>> {
  const { text, code } = step(needed, "Derive");
  const words = /\$NULLIFIER = (.*?)\./.exec(text)?.[1]?.match(/0x[0-9a-f]{64}/g) ?? [];
  const scopeWord = hex32Schema.parse(words.at(-1));
  const tag = words.length > 1 ? hex32Schema.parse(words[0]) : signalHash;
  const signature = await wallet.signMessage({ message: { raw: signalHash } });
  const user = await recoverPublicKey({
    hash: keccak256(concat([toHex("\x19Ethereum Signed Message:\n32"), signalHash])),
    signature,
  });
  const signer: Address = publicKeyToAddress(found.attester);
  const place = places.parse(JSON.parse(code)).find((one) => one.signer === signer);
  return {
    WALLET: wallet.address,
    SIGNAL_HASH: signalHash,
    SIGNATURE: signature,
    NULLIFIER: keccak256(concat([keccak256(concat([wallet.address, tag])), scopeWord])),
    USER_PUBKEY_X: `0x${user.slice(4, 68)}`,
    USER_PUBKEY_Y: `0x${user.slice(68)}`,
    ATTESTER_PUBKEY_X: `0x${found.attester.slice(4, 68)}`,
    ATTESTER_PUBKEY_Y: `0x${found.attester.slice(68)}`,
    RAW_TRANSACTION: found.raw,
    TX_LENGTH: size(found.raw),
    MERKLE_PROOF: JSON.stringify(place?.merkle_proof),
    LEAF_INDEX: place?.leaf_index ?? -1,
    DEPTH: place?.merkle_proof.length ?? -1,
    PAYMENT_SIGNATURE: "eyJ4",
    NONCE: "0x01",
  };
}

/** The prove command as the prover reads it. */
function provable(needed: Requirement, env: Record<string, string | number>) {
  const sent = curl(needed.proofEndpoint.agent.proveCommand, env);
  expect(curl(step(needed, "Pay and prove").code, env)).toEqual(sent);
  expect(sent.url).toBe("http://127.0.0.1:1/api/v1/prove");
  const body = z.object({ circuit: z.string(), inputs: z.unknown() }).parse(sent.body);
  expect(body.circuit).toBe(needed.circuit);
  return body.inputs;
}

async function joined(user: TestUser, needed: Requirement, publicInputs: readonly Hex[]): Promise<unknown> {
  const { joinEndpoint } = needed.proofEndpoint.agent;
  const path = joinEndpoint.url.replace("http://localhost:3000", "");
  const body = { proof: hexSchema.parse(proofBytes()), publicInputs };
  return (await h.send(joinEndpoint.method, path, { token: user.token, body })).status;
}

describe("the answer 402 is enough", () => {
  it.each([
    ["lives in one of the topic's countries", { countries: ["FR", "KR"] }],
    ["lives in none of the topic's countries", { excluded: ["KP", "IR"] }],
  ])("for a country gate: whoever %s", async (_, lists) => {
    const world = new AttestationWorld("partner_country_attestation");
    await world.attest({ recipient: person.address, country: "KR" });
    const topic = await makeTopic(owner);
    await gate(h.db, topic.id, "country", lists);
    const user = await signIn(h);
    const needed = await asked(user, topic.id);

    const found = await attestationOf(needed, person, world);
    const [, scope = "", circuit = ""] =
      /\|\| "(.*?)" \|\| "(.*?)"\)/.exec(step(needed, "Sign with").text) ?? [];
    const signalHash = keccak256(
      concat([person.address, toHex(stringToBytes(scope)), toHex(stringToBytes(circuit))]),
    );
    const wire = countryWireInputsSchema.parse(
      provable(needed, await variables(needed, person, found, signalHash)),
    );
    expect({ countries: wire.country_list, included: wire.is_included }).toEqual({
      countries: needed.allowedCountries ?? needed.excludedCountries,
      included: needed.allowedCountries !== null,
    });
    const { publicInputs } = await buildCountryInputs({ wire, attester: world.attester, scopes: [] });

    const { challengeEndpoint } = needed.proofEndpoint.agent;
    expect(curl(step(needed, "challenge").code, { TOKEN: "t" }).url).toBe(challengeEndpoint.url);
    await user.api.call(contract.auth.challenge, {});
    expect(await joined(user, needed, publicInputs)).toBe(201);
  });

  it("for a kyc gate", async () => {
    const world = new AttestationWorld("network_eligibility");
    await world.attest({ recipient: person.address });
    const topic = await makeTopic(owner);
    await gate(h.db, topic.id, "kyc");
    const user = await signIn(h);
    const needed = await asked(user, topic.id);

    const found = await attestationOf(needed, person, world);
    const { nonce } = await user.api.call(contract.auth.challenge, {});
    const rule = /UTF-8 bytes of "(.*?)"/;
    const template = rule.exec(step(needed, "Sign with").text)?.[1] ?? "";
    expect(rule.exec(needed.proofEndpoint.agent.challengeEndpoint.description)?.[1]).toBe(template);
    const signalHash = keccak256(toHex(stringToBytes(template.replace("<nonce>", nonce))));
    const wire = eligibilityWireInputsSchema.parse(
      provable(needed, await variables(needed, person, found, signalHash)),
    );
    const { publicInputs } = await buildEligibilityInputs({
      wire,
      circuit: "network_eligibility",
      attester: world.attester,
      scopes: [],
    });
    expect(await joined(user, needed, publicInputs)).toBe(201);
  });
});
