import { Noir, abi as noirAbi } from "@noir-lang/noir_js";
import { describe, expect, it } from "vitest";
import { committedArtifact } from "@/scripts/circuits/builds";
import { flatNames, flatten, type Inputs } from "./abi";
import { ConstraintChecker } from "./acir/check";
import { solve, withoutHints } from "./acir/solve";
import { Circuit } from "./circuit";
import { divisionAnswers, type Verification } from "./divisions";
import { honest, honestInputs } from "./oidc/make";
import { sha256Hex, sha256State } from "./oidc/sha256";
import { issuerKey, payloadB, signToken } from "./oidc/token";
import { limbs, toInputs, witnessOf } from "./oidc/witness";

const NAME = "oidc_domain_attestation";
const circuit = Circuit.committed(NAME);

/** Numbers as noir_js takes them. */
const written = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_key, item) => (typeof item === "bigint" ? String(item) : item)));

describe("the engine", () => {
  it("writes parameters to the witnesses that noir_js does", () => {
    const theirs = noirAbi.abiEncode(circuit.abi, JSON.parse(JSON.stringify(written(honestInputs))));
    const ours = flatten(circuit.abi, honestInputs);
    expect([...theirs].sort(([a], [b]) => a - b).map(([, word]) => BigInt(word))).toEqual(ours);
    const names = flatNames(circuit.abi);
    expect(names.filter(({ isPublic }) => isPublic)).toHaveLength(circuit.program.publicInputs.length);
    expect(names.findIndex(({ name }) => name === "iat")).toBe(213);
  });

  it("solves what noir_js solves", async () => {
    const noir = new Noir({ ...committedArtifact(NAME), debug_symbols: "", file_map: {} });
    await noir.execute(JSON.parse(JSON.stringify(written(honestInputs))));
    expect(await circuit.run(honestInputs)).toMatchObject({ accepted: true, forced: [] });
  });

  it("checks a solved witness without solving, and notices one changed value", async () => {
    const checker = new ConstraintChecker(circuit.program);
    const values = await circuit.witness(honestInputs);
    expect(checker.violated(values)).toBeUndefined();
    for (const witness of [0, 20, 90, 213, 1200, 5000, values.length - 1]) {
      expect(checker.survives(values, new Map([[witness, (values[witness] ?? 0n) + 1n]]))).toBe(false);
    }
  });

  it("answers a hint in the prover's place, in the committed program", async () => {
    const lie = { hint: "first_of", change: (honest: bigint[]) => honest.map(() => 1n) };
    const verdict = await circuit.run(honestInputs, { lies: [lie] });
    expect(verdict).toMatchObject({ accepted: false, reason: "json: string length" });
    const truth = { hint: "first_of", change: (honest: bigint[]) => honest };
    await expect(circuit.run(honestInputs, { lies: [truth] })).rejects.toThrow("no lie");
  });

  it("divides as RSA's hints do", async () => {
    const { program } = circuit;
    const own = (inputs: Inputs) => solve(withoutHints(program, []), program, flatten(circuit.abi, inputs));
    const witness = witnessOf(honest);
    const longer = { ...witness, redc: limbs((1n << 4096n) / issuerKey().modulus) };
    const other = witnessOf(signToken(issuerKey("another issuer of the engine's test"), payloadB()));
    for (const inputs of [honestInputs, toInputs(longer), toInputs(other)]) {
      const theirs = await own(inputs);
      const ours = await circuit.run(inputs);
      expect(theirs.solved && ours.accepted && ours.values).toEqual(theirs.solved && theirs.values);
    }
  });

  it("leaves divisions to the hints where they are none of a signature", async () => {
    const [n, redc, signature] = [
      witnessOf(honest).modulus,
      witnessOf(honest).redc,
      witnessOf(honest).signature,
    ];
    const divisions = [
      { opcode: 7, hasRemainder: true },
      { opcode: 9, hasRemainder: false },
    ];
    const answered = (one: Partial<Verification>, lied = new Map<number, readonly bigint[]>()) => [
      ...divisionAnswers(divisions, { modulus: n, redc, signature, ...one }, lied).keys(),
    ];
    expect(answered({})).toEqual([7, 9]);
    expect(answered({ redc: limbs(5n) })).toEqual([]);
    expect(answered({ modulus: limbs(5n) })).toEqual([]);
    expect(answered({ signature: [1n << 120n, ...signature.slice(1)] })).toEqual([]);
    expect(answered({}, new Map([[7, Array.from({ length: 36 }, () => 1n << 121n)]]))).toEqual([7]);
  });

  it("does not take a hint that gives up for a refusal", async () => {
    // The hint looks at a position beyond the tape; the constraint that refuses it comes after.
    const inputs = { ...honestInputs, email_verified_index: 0xffff_ffff };
    const verdict = await circuit.run(inputs, { base: honestInputs });
    expect(verdict).toMatchObject({ accepted: false, forced: ["form"] });
  });

  it("has a SHA-256 that agrees with the platform's", () => {
    const block = Buffer.alloc(128, "ab");
    const padding = Buffer.alloc(64);
    padding[0] = 0x80;
    padding.writeUInt32BE(128 * 8, 60);
    const words = sha256State(Buffer.concat([block, padding]));
    expect(words.map((word) => word.toString(16).padStart(8, "0")).join("")).toBe(sha256Hex(block));
  });
});
