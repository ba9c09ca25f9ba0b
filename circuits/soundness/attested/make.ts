import type { Hex } from "viem";
import type { Build } from "@/scripts/circuits/constants";
import type { Inputs } from "../abi";
import type { Case } from "../case";
import {
  type AttestedCircuit,
  build,
  type CommonInputs,
  type CountryInputs,
  type EligibilityInputs,
  type Overrides,
} from "./witness";

/** A witness of any of the three circuits. */
export type Witness = CommonInputs & Partial<CountryInputs> & Partial<EligibilityInputs>;

/** A change to a witness. It may sign again, so it may take its time. */
export type Change = (witness: Witness) => unknown;

/** Makes the cases of one circuit in one of its builds. */
export class Maker {
  readonly circuit: AttestedCircuit;
  readonly build: Build;
  readonly isCountry: boolean;
  readonly honest: Inputs;

  private constructor(circuit: AttestedCircuit, of: Build, honest: Inputs) {
    this.circuit = circuit;
    this.build = of;
    this.isCountry = circuit === "partner_country_attestation";
    this.honest = honest;
  }

  static async of(circuit: AttestedCircuit, of: Build = "production"): Promise<Maker> {
    const { inputs } = await build(circuit, of);
    return new Maker(circuit, of, { ...inputs });
  }

  /** An honest witness, but for the overrides. */
  async witness(overrides: Overrides = {}): Promise<Witness> {
    const { inputs } = await build(this.circuit, this.build, overrides);
    return { ...inputs };
  }

  /** A witness that must be accepted. */
  async accepted(name: string, overrides: Overrides = {}, change: Change = () => undefined): Promise<Case> {
    const witness = await this.witness(overrides);
    await change(witness);
    return { name, inputs: { ...witness } };
  }

  /** A witness with one change that must be refused for the reason given. */
  async refused(name: string, change: Change, reason: RegExp, overrides: Overrides = {}): Promise<Case> {
    return { ...(await this.accepted(name, overrides, change)), base: this.honest, reason };
  }
}

/** What the circuit says when a value is out of the range it is checked for. */
export const RANGE = /assert_max_bit_size|Index out of bounds|Cannot satisfy|overflow/;

/** Bytes of a number, big-endian. */
export function bytes32(value: bigint): number[] {
  return [...Buffer.from(value.toString(16).padStart(64, "0"), "hex")];
}

/** The number of big-endian bytes. */
export function numberOf(bytes: readonly number[]): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
}

/** One byte changed. */
export function flipped(bytes: readonly number[], index: number): number[] {
  return bytes.map((byte, i) => (i === index ? byte ^ 1 : byte));
}

/** Hex of bytes. */
export function hexOf(bytes: readonly number[]): Hex {
  return `0x${Buffer.from(bytes).toString("hex")}`;
}
