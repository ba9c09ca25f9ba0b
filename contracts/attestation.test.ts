import {
  type Address,
  concat,
  getAddress,
  getContractAddress,
  type Hex,
  keccak256,
  pad,
  recoverAddress,
  serializeTransaction,
  slice,
  toHex,
  zeroAddress,
  zeroHash,
} from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { attestersOf } from "@/lib/proofs/trust/attesters";
import {
  ATTESTATION_CHAINS,
  attestAccountCall,
  attestationSite,
  attestCountryCall,
  attesterCreation,
  installAttestation,
  revokeCall,
} from "./attestation";
import { DevelopmentAttester } from "./index";
import { account, startLocalChain } from "./local-chain";
import { attestedChain } from "./test/attested-chain";

/** Of the development signers; 24 signs on chain 91342. */
const SIGNER = 20;
const STRANGER = 1;
const person = account(7).address;

let base: Awaited<ReturnType<typeof attestedChain>>;
let giwa: Awaited<ReturnType<typeof attestedChain>>;
beforeAll(async () => {
  [base, giwa] = await Promise.all([attestedChain(8453), attestedChain(91342)]);
}, 60_000);
afterAll(() => Promise.all([base?.stop(), giwa?.stop()]));

describe("the development attester", () => {
  test.each(ATTESTATION_CHAINS)(
    "stands on chain %i where the circuits have it compiled in",
    async (chainId) => {
      const chain = chainId === 8453 ? base : giwa;
      const { contract, registry, signers } = attestationSite(chainId);
      // Account 25's first contract: the same on every chain, whatever its constructor is given.
      expect(getContractAddress({ from: account(25).address, nonce: 0n })).toBe(contract);
      expect(signers).toEqual((chainId === 8453 ? [20, 21, 22, 23] : [24]).map((i) => account(i).address));
      expect(await chain.client.getCode({ address: contract })).toBeDefined();
      expect(registry).toBe("0x4200000000000000000000000000000000000021");
      for (const attester of Object.values(attestersOf("development")))
        expect(attester.contract).toBe(contract);
    },
  );

  test("gets the same address and code when it is deployed", async () => {
    const fresh = await startLocalChain(8453);
    try {
      const site = attestationSite(8453);
      const from = account(25).address;
      const funding = await fresh.wallet(0).sendTransaction({ to: from, value: 10n ** 18n });
      await fresh.client.waitForTransactionReceipt({ hash: funding });
      const hash = await fresh.wallet(25).sendTransaction({ data: attesterCreation(site) });
      const { contractAddress } = await fresh.client.waitForTransactionReceipt({ hash });
      expect(getAddress(contractAddress ?? zeroAddress)).toBe(site.contract);
      const code = await fresh.client.getCode({ address: site.contract });
      expect(code).toBe(await base.client.getCode({ address: site.contract }));
    } finally {
      await fresh.stop();
    }
  }, 60_000);

  test("calls are those of the attesters' configuration", () => {
    const { network_eligibility, partner_country_attestation } = attestersOf("development");
    expect(attestAccountCall(person)).toBe(
      concat([z.custom<Hex>().parse(network_eligibility.selector), pad(person, { size: 32 })]).toLowerCase(),
    );
    expect(attestCountryCall(person, "FR")).toBe(
      concat([
        z.custom<Hex>().parse(partner_country_attestation.selector),
        "0x00000000000000000000",
        "0x4652",
        person,
      ]).toLowerCase(),
    );
    for (const country of ["fr", "FRA", "F", "", "F1"]) {
      expect(() => attestCountryCall(person, country)).toThrow(RangeError);
    }
  });
});

describe("an attestation", () => {
  test("of an account is logged, stored, and made by a transaction the circuit can read", async () => {
    for (const [chain, signer] of [
      [base, SIGNER],
      [giwa, 24],
    ] as const) {
      const site = chain.site;
      const receipt = await chain.send(signer, attestAccountCall(person));
      const event = (await chain.events()).find((e) => e.transactionHash === receipt.transactionHash);
      expect(event?.args).toMatchObject({
        recipient: person,
        attester: site.contract,
        schemaUID: site.accountSchema,
      });
      const { timestamp } = await chain.client.getBlock({ blockNumber: receipt.blockNumber });
      expect(await chain.read(event?.args.uid ?? "0x")).toEqual({
        uid: event?.args.uid,
        schema: site.accountSchema,
        time: timestamp,
        expirationTime: 0n,
        revocationTime: 0n,
        refUID: zeroHash,
        recipient: person,
        attester: site.contract,
        revocable: true,
        data: toHex(1, { size: 32 }),
      });

      const tx = await chain.client.getTransaction({ hash: receipt.transactionHash });
      expect(tx).toMatchObject({ type: "eip1559", value: 0n, accessList: [], chainId: chain.id });
      expect(getAddress(tx.to ?? zeroAddress)).toBe(site.contract);
      expect(tx.input).toBe(attestAccountCall(person));
      // What the circuit hashes and checks the signature of.
      const { chainId, nonce, gas, maxFeePerGas, maxPriorityFeePerGas, to, input: data } = tx;
      const unsigned = serializeTransaction({
        type: "eip1559",
        ...{ chainId: chainId ?? 0, nonce, gas, maxFeePerGas, maxPriorityFeePerGas, to, data },
      });
      expect((unsigned.length - 2) / 2).toBeLessThanOrEqual(135);
      const signed = await recoverAddress({
        hash: keccak256(unsigned),
        signature: { r: tx.r, s: tx.s, yParity: tx.yParity ?? 0 },
      });
      expect(site.signers).toContain(signed);
    }
  });

  test("of a country carries its two letters, on the chain where countries are attested", async () => {
    const receipt = await base.send(SIGNER + 1, attestCountryCall(person, "FR"));
    const event = (await base.events()).find((e) => e.transactionHash === receipt.transactionHash);
    expect(event?.args.schemaUID).toBe(attestationSite(8453).countrySchema);
    const { data } = await base.read(event?.args.uid ?? "0x");
    // A string of two bytes, ABI-encoded.
    expect(data).toBe(
      concat([toHex(32, { size: 32 }), toHex(2, { size: 32 }), pad("0x4652", { dir: "right" })]),
    );
    await expect(giwa.send(24, attestCountryCall(person, "FR"))).rejects.toThrow("SchemaNotOffered");
  });

  test("twice in one second is two attestations", async () => {
    const made = await base.events();
    await Promise.all([20, 21].map((signer) => base.send(signer, attestAccountCall(account(8).address))));
    const uids = (await base.events()).map((e) => e.args.uid);
    expect(new Set(uids).size).toBe(made.length + 2);
  });

  test("of nobody is refused", async () => {
    await expect(base.send(SIGNER, attestAccountCall(zeroAddress))).rejects.toThrow("InvalidRecipient");
    await expect(base.send(SIGNER, attestCountryCall(zeroAddress, "FR"))).rejects.toThrow("InvalidRecipient");
  });

  test("is gone from nowhere: an unknown id reads as zero", async () => {
    expect(await base.read(toHex(1, { size: 32 }))).toMatchObject({ uid: zeroHash, attester: zeroAddress });
  });
});

describe("who may call", () => {
  let uid: Hex;
  beforeEach(async () => {
    await base.send(SIGNER, attestAccountCall(person));
    uid = (await base.events()).at(-1)?.args.uid ?? "0x";
  });

  test("signers only: a stranger can neither attest nor revoke", async () => {
    const { accountSchema } = attestationSite(8453);
    for (const call of [
      attestAccountCall(person),
      attestCountryCall(person, "FR"),
      revokeCall(accountSchema, uid),
    ]) {
      await expect(base.send(STRANGER, call)).rejects.toThrow("NotASigner");
    }
  });

  test("the signers of the chain, not of the other one", async () => {
    await expect(giwa.send(SIGNER, attestAccountCall(person))).rejects.toThrow("NotASigner");
    await expect(base.send(24, attestAccountCall(person))).rejects.toThrow("NotASigner");
    const isSigner = async (chain: typeof base, of: Address) =>
      chain.client.readContract({
        address: attestationSite(8453).contract,
        abi: DevelopmentAttester.abi,
        functionName: "isSigner",
        args: [of],
      });
    for (const index of [20, 21, 22, 23]) expect(await isSigner(base, account(index).address)).toBe(true);
    expect(await isSigner(giwa, account(24).address)).toBe(true);
    // An empty place is nobody's.
    expect(await isSigner(giwa, zeroAddress)).toBe(false);
  });

  test("revoking is logged, dated and final", async () => {
    const { accountSchema, countrySchema, registry } = attestationSite(8453);
    await expect(base.send(SIGNER, revokeCall(countrySchema ?? "0x", uid))).rejects.toThrow("InvalidSchema");
    await expect(base.send(SIGNER, revokeCall(accountSchema, toHex(5, { size: 32 })))).rejects.toThrow(
      "NotFound",
    );
    // Any of the signers revokes what another one attested.
    const receipt = await base.send(SIGNER + 3, revokeCall(accountSchema, uid));
    const { timestamp } = await base.client.getBlock({ blockNumber: receipt.blockNumber });
    expect((await base.read(uid)).revocationTime).toBe(timestamp);
    expect((await base.events("Revoked")).at(-1)?.args).toMatchObject({
      uid,
      recipient: person,
      attester: attestationSite(8453).contract,
      schemaUID: accountSchema,
    });
    await expect(base.send(SIGNER, revokeCall(accountSchema, uid))).rejects.toThrow("AlreadyRevoked");
    // Past the attester, in the registry itself, an attestation is its attester's.
    await expect(base.send(SIGNER, revokeCall(accountSchema, uid), { to: registry })).rejects.toThrow(
      "AccessDenied",
    );
  });
});

describe("calls of another shape are refused", () => {
  const country = attestCountryCall(person, "FR");
  const accountCall = attestAccountCall(person);
  const shapes: Record<string, Hex> = {
    "no calldata": "0x",
    "another selector": concat(["0x12345678", pad(person)]),
    "a byte too few": slice(accountCall, 0, 35),
    "an account call with a byte behind": `${accountCall}00`,
    "a country call with a word behind": concat([country, zeroHash]),
    "a country call with a dirty byte in front": concat([
      "0x0a225248",
      "0x01000000000000000000",
      "0x4652",
      person,
    ]),
    "a country call with a dirty byte before the letters": concat([
      "0x0a225248",
      "0x00000000000000000001",
      "0x4652",
      person,
    ]),
    "small letters": concat(["0x0a225248", "0x00000000000000000000", "0x6672", person]),
    "a digit": concat(["0x0a225248", "0x00000000000000000000", "0x4631", person]),
    "no country": concat(["0x0a225248", "0x00000000000000000000", "0x0000", person]),
    "an account call with a dirty byte before the recipient": concat([
      "0x56feed5e",
      "0x000000000000000000000001",
      person,
    ]),
  };
  test.each(Object.keys(shapes))("%s", async (shape) => {
    await expect(base.send(SIGNER, shapes[shape] ?? "0x")).rejects.toThrow(
      /InvalidCall|InvalidCountry|reverted/,
    );
  });

  test("money with it", async () => {
    await expect(base.send(SIGNER, accountCall, { value: 1n })).rejects.toThrow(/reverted/);
  });
});

test("installing again keeps attestations, signers' money and the code", async () => {
  const { contract, signers } = attestationSite(8453);
  const before = await base.events();
  const balance = await base.client.getBalance({ address: signers[0] ?? zeroAddress });
  const code = await base.client.getCode({ address: contract });
  await installAttestation(base.anvil.rpcUrl, 8453);
  expect(await base.events()).toEqual(before);
  expect(await base.client.getBalance({ address: signers[0] ?? zeroAddress })).toBe(balance);
  expect(await base.client.getCode({ address: contract })).toBe(code);
});
