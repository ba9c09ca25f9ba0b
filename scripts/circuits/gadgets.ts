import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { countGates } from "./bb";
import { compileCircuit } from "./compile";
import { CIRCUITS_DIR, crateNames } from "./paths";

/** A gadget to measure: a call of a crate's function with arbitrary arguments. */
interface Gadget {
  crate: string;
  name: string;
  uses: string;
  /** Other crates that the arguments need, with the names to import from them. */
  also?: Record<string, string>;
  /** Noir type of each parameter, by name. */
  parameters: Record<string, string>;
  call: string;
}

const bytes32 = "[u8; 32]";
const lanes = "[u64; 4]";
const limbs = "[u128; 18]";

/** Every gadget of the crates, in the order of the output. */
const GADGETS: Gadget[] = [
  {
    crate: "keccak256",
    name: "hash, 20 bytes",
    uses: "hash",
    parameters: { a: "[u8; 20]", d: lanes },
    call: "assert(hash(a) == d);",
  },
  {
    crate: "keccak256",
    name: "hash, 64 bytes",
    uses: "hash",
    parameters: { a: "[u8; 64]", d: lanes },
    call: "assert(hash(a) == d);",
  },
  {
    crate: "keccak256",
    name: "hash, 135 bytes",
    uses: "hash",
    parameters: { a: "[u8; 135]", d: lanes },
    call: "assert(hash(a) == d);",
  },
  {
    crate: "keccak256",
    name: "hash_bounded, up to 135 bytes",
    uses: "hash_bounded",
    parameters: { a: "[u8; 135]", n: "u32", d: lanes },
    call: "assert(hash_bounded(a, n) == d);",
  },
  {
    crate: "keccak256",
    name: "hash_followed, up to 108 bytes and 27",
    uses: "hash_followed",
    parameters: { a: "[u8; 108]", n: "u32", d: lanes },
    call: 'assert(hash_followed(a, n, "partner_country_attestation".as_bytes()) == d);',
  },
  {
    crate: "keccak256",
    name: "hash_marked, up to 128 bytes",
    uses: "hash_marked",
    parameters: { a: "[u8; 128]", e: "[Field; 129]", d: lanes },
    call: "assert(hash_marked(a, e) == d);",
  },
  {
    crate: "keccak256",
    name: "hash_node",
    uses: "hash_node",
    parameters: { a: lanes, b: lanes, d: lanes },
    call: "assert(hash_node(a, b) == d);",
  },
  {
    crate: "keccak256",
    name: "to_bytes",
    uses: "to_bytes",
    parameters: { a: lanes, d: bytes32 },
    call: "assert(to_bytes(a) == d);",
  },
  {
    crate: "secp256k1_account",
    name: "address",
    uses: "{address, PublicKey}",
    parameters: { x: bytes32, y: bytes32, d: "[u8; 20]" },
    call: "assert(address(PublicKey { x, y }) == d);",
  },
  {
    crate: "secp256k1_account",
    name: "assert_signed",
    uses: "{assert_signed, PublicKey, Signature}",
    parameters: { x: bytes32, y: bytes32, r: bytes32, s: bytes32, d: bytes32 },
    call: "assert_signed(PublicKey { x, y }, Signature { r, s }, d);",
  },
  {
    crate: "eip1559_payload",
    name: "parse, 36 bytes of data",
    uses: "{Call, parse}",
    also: { attester_config: "NETWORK_ELIGIBILITY" },
    parameters: { p: "BoundedVec<u8, 135>", h: lanes, d: "[u8; 36]" },
    call: "let call: Call<36> = parse(p, NETWORK_ELIGIBILITY.chain_id, NETWORK_ELIGIBILITY.address); assert((call.hash == h) & (call.data == d));",
  },
  {
    crate: "merkle_signers",
    name: "assert_member, depth 2",
    uses: "{assert_member, Membership}",
    parameters: { root: bytes32, a: "[u8; 20]", path: "[[u8; 32]; 2]", leaf_index: "u8", depth: "u8" },
    call: "assert_member(root, a, Membership { path, leaf_index, depth });",
  },
  {
    crate: "wallet_nullifier",
    name: "assert_nullifier",
    uses: "assert_nullifier",
    parameters: { n: bytes32, a: "[u8; 20]", t: bytes32, s: bytes32 },
    call: "assert_nullifier(n, a, t, s);",
  },
  {
    crate: "country_list",
    name: "assert_listed, 10 countries",
    uses: "assert_listed",
    parameters: { l: "BoundedVec<[u8; 2], 10>", c: "[u8; 2]", i: "bool" },
    call: "assert_listed(l, c, i);",
  },
  {
    crate: "rsa2048",
    name: "assert_signature",
    uses: "assert_signature",
    parameters: { n: limbs, r: limbs, s: limbs, d: "[u32; 8]" },
    call: "assert_signature(n, r, s, d);",
  },
  {
    crate: "sha256_tail",
    name: "finish, 640 bytes",
    uses: "finish",
    parameters: { h: "[u32; 8]", a: "[u8; 640]", n: "u32", t: "u32", d: "[u32; 8]" },
    call: "assert(finish(h, a, n, t) == d);",
  },
  {
    crate: "base64url",
    name: "decode, 640 characters",
    uses: "decode",
    parameters: { a: "[u8; 640]", o: "u32", d: "[u8; 480]" },
    call: "let (bytes, _) = decode(a, o); assert(bytes == d);",
  },
  {
    crate: "json_claims",
    name: "walk, 480 bytes",
    uses: "walk",
    parameters: { a: "[u8; 480]", d: "Field" },
    call: "assert(walk(a)[0] == d);",
  },
  {
    crate: "json_claims",
    name: "assert_absent, 480 bytes",
    uses: "assert_absent",
    parameters: { a: "[u8; 480]", w: "bool" },
    call: 'assert_absent(a, "\\"nonce\\":".as_bytes(), w);',
  },
  {
    crate: "json_claims",
    name: "assert_claim, 9 bytes in 480",
    uses: "{assert_claim, INSIDE}",
    parameters: { t: "[Field; 480]", a: "Field", p: "bool" },
    call: 'assert_claim(t, a, "\\"email\\":\\"".as_bytes(), INSIDE, p);',
  },
  {
    crate: "json_claims",
    name: "read_string, up to 128 bytes in 480",
    uses: "{read_string, ReadString}",
    parameters: { t: "[Field; 480]", a: "Field", n: "u32", d: "[u8; 128]" },
    call: "let read: ReadString<128> = read_string(t, a, n); assert(read.bytes == d);",
  },
  {
    crate: "json_claims",
    name: "read_timestamp",
    uses: "read_timestamp",
    parameters: { t: "[Field; 480]", a: "Field", d: "Field" },
    call: "assert(read_timestamp(t, a) == d);",
  },
  {
    crate: "email_address",
    name: "assert_email, 128 bytes",
    uses: "assert_email",
    parameters: { a: "[u8; 128]" },
    call: "assert_email(a);",
  },
  {
    crate: "email_address",
    name: "assert_domain, 64 bytes",
    uses: "assert_domain",
    parameters: { a: "[u8; 64]" },
    call: "assert_domain(a);",
  },
];

interface GadgetCost {
  crate: string;
  gadget: string;
  gates: number;
}

/**
 * Four hashes and a signature, which every measured program contains. The size of a small circuit is that of its lookup
 * tables, so a gadget's own gates only show in a larger one.
 */
const BALLAST = {
  imports: {
    keccak256: "{hash_node as ballast_hash, to_bytes as ballast_bytes}",
    secp256k1_account: "assert_signed as ballast_signed",
  },
  also: "use secp256k1_account::{PublicKey as BallastKey, Signature as BallastSignature};",
  parameters: "ballast_b: [[u64; 4]; 5], ballast_k: [[u8; 32]; 4]",
  call: [
    "let mut ballast = ballast_b[0];",
    "for i in 1..5 { ballast = ballast_hash(ballast, ballast_b[i]); }",
    "ballast_signed(BallastKey { x: ballast_k[0], y: ballast_k[1] }, BallastSignature { r: ballast_k[2], s: ballast_k[3] }, ballast_bytes(ballast));",
  ].join(" "),
};

/** Names the parameters of a gadget in a program with the parameters of all gadgets. */
function parametersOf(gadget: Gadget, at: number): [name: string, own: string, type: string][] {
  return Object.entries(gadget.parameters).map(([own, type]) => [`g${at}_${own}`, own, type]);
}

/** Returns a program with the parameters of all gadgets that calls the one at `called`, or none. */
function programOf(called: number | undefined): string {
  const gadget = called === undefined ? undefined : GADGETS[called];
  const declared = GADGETS.flatMap((each, at) =>
    parametersOf(each, at).map(([name, , type]) => `${name}: ${type}`),
  );
  const bound = gadget ? parametersOf(gadget, called ?? 0).map(([name, own]) => `let ${own} = ${name};`) : [];
  const imports = [BALLAST.imports, ...(gadget ? [gadget.also ?? {}, { [gadget.crate]: gadget.uses }] : [])];
  return [
    ...imports.flatMap((names) => Object.entries(names).map(([from, name]) => `use ${from}::${name};`)),
    BALLAST.also,
    `fn main(${[BALLAST.parameters, ...declared].join(", ")}) {`,
    BALLAST.call,
    ...bound,
    gadget?.call ?? "",
    "}",
  ].join("\n");
}

async function gatesOf(root: string, source: string): Promise<number> {
  const dir = path.join(root, "bin", "gadget");
  fs.mkdirSync(path.join(dir, "src"), { recursive: true });
  const dependencies = crateNames().map((crate) => `${crate} = { path = "../../lib/${crate}" }`);
  const manifest = ["[package]", 'name = "gadget"', 'type = "bin"', "[dependencies]", ...dependencies];
  fs.writeFileSync(path.join(dir, "Nargo.toml"), `${manifest.join("\n")}\n`);
  fs.writeFileSync(path.join(dir, "src", "main.nr"), source);
  return countGates(await compileCircuit(root, "gadget"));
}

/**
 * Measures the gadgets and reports each result. A gadget's inputs are parameters of the program, so that the compiler
 * cannot evaluate the call. The parameters' own cost is not counted.
 */
export async function measureGadgets(report: (cost: GadgetCost) => void): Promise<void> {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "parley-gadgets-"));
  try {
    fs.cpSync(path.join(CIRCUITS_DIR, "lib"), path.join(root, "lib"), { recursive: true });
    const without = await gatesOf(root, programOf(undefined));
    for (const [at, { crate, name }] of GADGETS.entries()) {
      report({ crate, gadget: name, gates: (await gatesOf(root, programOf(at))) - without });
    }
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
}
