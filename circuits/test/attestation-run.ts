import { Noir } from "@noir-lang/noir_js";
import { type Hex, hexToBytes, toRlp } from "viem";
import { expect } from "vitest";
import { committedArtifact } from "@/scripts/circuits/builds";
import type { Build } from "@/scripts/circuits/constants";
import {
  type AttestedCircuit,
  build,
  type CommonInputs,
  type InputsOf,
  type Overrides,
  toInputMap,
} from "../soundness";

const loaded = new Map<string, Noir>();

function circuit(name: AttestedCircuit, mode: Build): Noir {
  const key = `${name} ${mode}`;
  const noir =
    loaded.get(key) ?? new Noir({ ...committedArtifact(name, mode), debug_symbols: "", file_map: {} });
  loaded.set(key, noir);
  return noir;
}

/** Runs the committed circuit: "accepted", or why it refuses. No proof is made. */
export async function run(
  name: AttestedCircuit,
  inputs: CommonInputs,
  mode: Build = "production",
): Promise<string> {
  try {
    await circuit(name, mode).execute(toInputMap(inputs));
    return "accepted";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A refusal to test: what is chosen, what is then changed in the witness, and the reason expected. */
export interface Refusal<C extends AttestedCircuit> {
  overrides?: Overrides;
  change?: (inputs: InputsOf<C>) => void;
  reason: RegExp;
}

/** Asserts that the circuit refuses, for the reason given, what it accepts without the refusal's choices and change. */
export async function refused<C extends AttestedCircuit>(name: C, refusal: Refusal<C>): Promise<void> {
  const { inputs } = await build(name, "production", refusal.overrides);
  refusal.change?.(inputs);
  const answer = await run(name, inputs);
  expect(answer).not.toBe("accepted");
  expect(answer).toMatch(refusal.reason);
}

/** The reason when a value is out of the range it is checked for, or a place out of the array. */
export const RANGE =
  /assert_max_bit_size|Index out of bounds|overflow|Cannot satisfy constraint|Field failed to decompose/;

/** The nine fields of a payload, each as its RLP encoding. */
export function itemsOf(payload: Uint8Array): Hex[] {
  const items: Hex[] = [];
  for (let at = 3; at < payload.length; ) {
    const head = payload[at] ?? 0;
    const size = head < 0x80 || head === 0xc0 ? 1 : head - 0x80 + 1;
    items.push(`0x${Buffer.from(payload.slice(at, at + size)).toString("hex")}`);
    at += size;
  }
  return items;
}

/** A payload of already encoded items: 0x02, the head of a list of 56 to 255 bytes, the items. */
export function wrapped(items: readonly Hex[]): Uint8Array {
  const body = items.flatMap((item) => [...hexToBytes(item)]);
  return Uint8Array.from([0x02, 0xf8, body.length, ...body]);
}

/** Puts other encodings in the place of fields: 0 chain id to 8 access list. The attester signs the result. */
export function withItems(items: Readonly<Record<number, Hex>>): Overrides {
  return { payload: (honest) => wrapped(itemsOf(honest).map((item, i) => items[i] ?? item)) };
}

/** Changes one byte; negative places count from the end. The attester signs the result. */
export function withByte(at: number, change: (byte: number) => number): Overrides {
  return {
    payload: (honest) =>
      honest.map((byte, i) => (i === (at + honest.length) % honest.length ? change(byte) & 0xff : byte)),
  };
}

/** RLP of a byte string. */
export const string = (hex: Hex): Hex => toRlp(hex);
