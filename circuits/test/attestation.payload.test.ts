import type { Hex } from "viem";
import { describe, it } from "vitest";
import { type AttestedCircuit } from "../soundness";
import type { Named } from "./attestation-faults";
import { itemsOf, RANGE, refused, string, withByte, withItems, wrapped } from "./attestation-run";

/** A payload whose fields stand in another order or number. */
const reordered = (order: (items: Hex[]) => Hex[]) => ({
  payload: (honest: Uint8Array) => wrapped(order(itemsOf(honest))),
});

/** Rules of the payload: what the attester signed is not the one kind of transaction. */
const payloads: Named<AttestedCircuit> = [
  ["type 1", { overrides: withByte(0, () => 1), reason: /payload: type/ }],
  ["type 3", { overrides: withByte(0, () => 3), reason: /payload: type/ }],
  ["no type", { overrides: { payload: (honest) => honest.slice(1) }, reason: /payload: type/ }],
  ["a list head of two length bytes", { overrides: withByte(1, () => 0xf9), reason: /payload: list/ }],
  ["a string for the list", { overrides: withByte(1, () => 0xb8), reason: /payload: list/ }],
  ["a list longer by one", { overrides: withByte(2, (byte) => byte + 1), reason: /list length/ }],
  ["a list shorter by one", { overrides: withByte(2, (byte) => byte - 1), reason: /list length/ }],
  [
    "a byte after the list",
    { overrides: { payload: (honest) => Uint8Array.from([...honest, 0x80]) }, reason: /list length/ },
  ],
  ["eight fields: no gas limit", { overrides: reordered((all) => all.toSpliced(4, 1)), reason: RANGE }],
  [
    "eight fields: no access list",
    { overrides: reordered((all) => all.slice(0, 8)), reason: /payload: length/ },
  ],
  [
    "ten fields: one more integer",
    { overrides: reordered((all) => all.toSpliced(5, 0, "0x80")), reason: /payload: length/ },
  ],
  [
    "ten fields: one after the access list",
    { overrides: reordered((all) => [...all, "0x80"]), reason: /payload: length/ },
  ],
  [
    "twelve fields: a signed transaction",
    { overrides: reordered((all) => [...all, "0x80", "0x01", "0x01"]), reason: /payload: length/ },
  ],
  ["another chain", { overrides: { transaction: { chainId: 10 } }, reason: /chain id/ }],
  ["chain 8453 plus 2^16", { overrides: withItems({ 0: "0x83012105" }), reason: /chain id/ }],
  ["a chain id with a leading zero", { overrides: withItems({ 0: "0x83002105" }), reason: /chain id/ }],
  ["a nonce of 0 as a byte", { overrides: withItems({ 1: "0x00" }), reason: /empty string/ }],
  ["a nonce of 5 with a length", { overrides: withItems({ 1: "0x8105" }), reason: /its own byte/ }],
  ["a fee with a leading zero", { overrides: withItems({ 2: "0x8200ff" }), reason: /leading zero/ }],
  ["a gas limit with a leading zero", { overrides: withItems({ 4: "0x830061a8" }), reason: /leading zero/ }],
  ["a fee as a list", { overrides: withItems({ 3: "0xc0" }), reason: RANGE }],
  ["a nonce of 9 bytes", { overrides: withItems({ 1: "0x89010000000000000000" }), reason: RANGE }],
  ["a gas limit of 9 bytes", { overrides: withItems({ 4: "0x89010000000000000000" }), reason: RANGE }],
  ["a fee of 33 bytes", { overrides: withItems({ 3: `0xa1${"01".repeat(33)}` }), reason: RANGE }],
  [
    "a contract that is not the attester's",
    { overrides: { transaction: { to: `0x${"11".repeat(20)}` } }, reason: /payload: recipient/ },
  ],
  ["a contract creation", { overrides: withItems({ 5: "0x80" }), reason: /payload: length/ }],
  ["a value of 1", { overrides: { transaction: { value: 1n } }, reason: /payload: value/ }],
  ["a value of 1000", { overrides: { transaction: { value: 1000n } }, reason: /payload: length/ }],
  ["a value of 0 as a byte", { overrides: withItems({ 6: "0x00" }), reason: /payload: value/ }],
  [
    "data of 35 bytes",
    { overrides: withItems({ 7: string(`0x${"11".repeat(35)}`) }), reason: /payload: length/ },
  ],
  [
    "data of 37 bytes",
    { overrides: withItems({ 7: string(`0x${"11".repeat(37)}`) }), reason: /payload: length/ },
  ],
  ["an access list", { overrides: withItems({ 8: "0xc1c0" }), reason: /payload: length/ }],
  ["a string for the access list", { overrides: withItems({ 8: "0x80" }), reason: /payload: access list/ }],
  ["another selector", { overrides: withByte(-37, (byte) => byte ^ 1), reason: /attestation: selector/ }],
  ["padding that is not zero", { overrides: withByte(-33, () => 1), reason: /padding/ }],
  ["the last byte of padding set", { overrides: withByte(-24, () => 1), reason: /padding/ }],
  [
    "an attestation of another account",
    { overrides: withByte(-2, (byte) => byte ^ 1), reason: /another account/ },
  ],
  [
    "an attestation of almost this account",
    { overrides: withByte(-21, (byte) => byte ^ 0x80), reason: /another account/ },
  ],
];

// The circuits share the gadgets: the rules of the payload are tested on two of them.
describe.each(["partner_country_attestation", "network_eligibility"] as const)("%s refuses", (circuit) => {
  it.each(payloads)("%s", async (_name, refusal) => {
    await refused(circuit, refusal);
  });
});
