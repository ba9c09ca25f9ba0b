import { type Hex, keccak256, parseSignature, parseTransaction, serializeTransaction, size } from "viem";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ProofInputCode } from "../errors";
import {
  anvilAccount,
  attestationCall,
  developmentSigners,
  person,
  signedAttestation,
  stranger,
} from "../testing/attestations";
import { refused as expectRefusal } from "../testing/refused";
import { highS } from "../testing/wallet-wires";
import { attestersOf } from "../trust/attesters";
import { readAttestationTransaction } from "./transaction";

const { partner_country_attestation: attester, network_eligibility: account } = attestersOf("development");
const [signer = expect.fail("no signer")] = developmentSigners("partner_country_attestation");

type Over = Parameters<typeof signedAttestation>[0]["over"];
const call = attestationCall(attester, person.address, "FR");
const make = (over: Over = {}) =>
  signedAttestation({ attester, signer, recipient: person.address, country: "FR", over });
const refused = (raw: Hex, code: ProofInputCode, by = attester) =>
  expectRefusal(readAttestationTransaction(raw, by), code, "raw_transaction", [
    // The shortest malformed ones are no secret, and stand in every text.
    ...(raw.length > 20 ? [raw] : []),
    person.address,
  ]);

describe("an attestation transaction", () => {
  it("says who was attested, where from, by whom, and what exactly was signed", async () => {
    const raw = await make();
    const { r, s, yParity, ...fields } = parseTransaction(z.templateLiteral(["0x02", z.string()]).parse(raw));
    expect(await readAttestationTransaction(raw, attester)).toEqual({
      hash: keccak256(raw),
      unsigned: serializeTransaction(fields),
      recipient: person.address,
      country: "FR",
      signer: {
        address: signer.address,
        x: `0x${signer.publicKey.slice(4, 68)}`,
        y: `0x${signer.publicKey.slice(68)}`,
      },
      signature: { r, s, yParity },
      leafIndex: 0,
    });
  });

  it("is read whatever the case of its hex, and at any nonce and length up to 135 bytes", async () => {
    const raw = await make();
    const upper: Hex = `0x${raw.slice(2).toUpperCase()}`;
    expect(await readAttestationTransaction(upper, attester)).toEqual(
      await readAttestationTransaction(raw, attester),
    );
    const longest = await make({ nonce: 0, maxFeePerGas: 1n << 250n, maxPriorityFeePerGas: 1n << 235n });
    const { unsigned } = await readAttestationTransaction(longest, attester);
    expect(size(unsigned)).toBe(135);
    const longer = await make({ nonce: 0, maxFeePerGas: 1n << 250n, maxPriorityFeePerGas: 1n << 243n });
    await refused(longer, "TRANSACTION_TOO_LONG");
  });

  it.each<[string, Over, ProofInputCode]>([
    ["for another chain", { chainId: 91342 }, "WRONG_CHAIN"],
    ["to another contract", { to: stranger.address }, "WRONG_CONTRACT"],
    ["that creates a contract", { to: null }, "WRONG_CONTRACT"],
    ["with value", { value: 1n }, "WRONG_CALL"],
    ["without a call", { data: "0x" }, "WRONG_CALL"],
    ["with another selector", { data: attestationCall(account, person.address) }, "WRONG_CALL"],
    ["with another selector alone", { data: `0x0a225249${call.slice(10)}` }, "WRONG_CALL"],
    ["with a byte more", { data: `${call}00` }, "WRONG_CALL"],
    ["with a byte less", { data: `0x${call.slice(2, -2)}` }, "WRONG_CALL"],
    ["with dirt in the first padding byte", { data: `0x0a22524801${call.slice(12)}` }, "WRONG_CALL"],
    ["with dirt in the last", { data: `0x${call.slice(2, 28)}01${call.slice(30)}` }, "WRONG_CALL"],
    ["with a lower-case country", { data: attestationCall(attester, person.address, "fr") }, "WRONG_CALL"],
    ["without a country", { data: `0x0a225248${"00".repeat(12)}${person.address.slice(2)}` }, "WRONG_CALL"],
    [
      "with an access list",
      { accessList: [{ address: stranger.address, storageKeys: [] }] },
      "TRANSACTION_MALFORMED",
    ],
    ["with more gas than fits", { gas: 1n << 64n }, "TRANSACTION_MALFORMED"],
  ])("%s is refused", async (_, over, code) => {
    await refused(await make(over), code);
  });

  it("of another type, or unsigned, is refused", async () => {
    const fields = { to: attester.contract, data: call, nonce: 1, gas: 1n, chainId: 8453 };
    const legacy = await signer.signTransaction({ ...fields, type: "legacy", gasPrice: 1n });
    const listed = await signer.signTransaction({ ...fields, type: "eip2930", gasPrice: 1n });
    const unsigned = serializeTransaction({ ...fields, type: "eip1559" });
    for (const raw of [legacy, listed, unsigned]) await refused(raw, "TRANSACTION_MALFORMED");
    await expect(readAttestationTransaction(legacy, attester)).rejects.toThrow("type 2");
    await expect(readAttestationTransaction(unsigned, attester)).rejects.toThrow("must be signed");
  });

  it("in no or another encoding is refused", async () => {
    const good = await make();
    const malformed: Hex[] = [
      "0x",
      "0x02",
      "0x02c0",
      `${good}00`,
      `0x${good.slice(2, -2)}`,
      // The nonce 7 as a string of one byte, and its list one longer: readable, but not the bytes that were sent.
      `0x02f8${(Number.parseInt(good.slice(6, 8), 16) + 1).toString(16)}${good.slice(8).replace("82210507", "8221058107")}`,
    ];
    for (const raw of malformed) await refused(raw, "TRANSACTION_MALFORMED");
  });

  it("with the other s, which no chain takes, is refused", async () => {
    const good = await make();
    const {
      r = "0x",
      s = "0x",
      yParity,
      ...fields
    } = parseTransaction(z.templateLiteral(["0x02", z.string()]).parse(good));
    const other = parseSignature(highS(`0x${r.slice(2)}${s.slice(2)}${yParity ? "1c" : "1b"}`));
    await refused(serializeTransaction(fields, other), "SIGNATURE_INVALID");
  });

  it("by nobody on the list is refused", async () => {
    for (const other of [stranger, anvilAccount(24)]) {
      const plan = { attester, recipient: person.address, country: "FR", signer: other };
      await refused(await signedAttestation(plan), "ATTESTER_NOT_TRUSTED");
    }
  });

  it("of an account is none of a country, and the other way round", async () => {
    const ofAccount = await signedAttestation({ attester: account, signer, recipient: person.address });
    expect(await readAttestationTransaction(ofAccount, account)).toMatchObject({ country: null });
    await refused(ofAccount, "WRONG_CALL");
    await refused(await make(), "WRONG_CALL", account);
    const withLetters = { data: `0x56feed5e${call.slice(10)}` } as const;
    await refused(await make(withLetters), "WRONG_CALL", account);
  });
});
