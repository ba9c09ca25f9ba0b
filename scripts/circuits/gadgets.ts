import fs from "node:fs";
import path from "node:path";
import { withFolder } from "../stack/folder";
import { countGates } from "./bb";
import { compileCircuit } from "./compile";
import { CIRCUITS_DIR, crateNames } from "./paths";

const lanes = "[u64; 4]";
const bytes32 = "[u8; 32]";
const limbs = "[u128; 18]";

/** A call with arbitrary arguments: the Noir type of each parameter, the call, and what else to import. */
type Gadget = [parameters: Record<string, string>, call: string, ...imports: string[]];

/** The gadgets of each crate, in the order of the output. A name starts with the function that the program imports. */
const GADGETS: Record<string, Record<string, Gadget>> = {
  keccak256: {
    "hash, 20 bytes": [{ a: "[u8; 20]", d: lanes }, "assert(hash(a) == d);"],
    "hash, 64 bytes": [{ a: "[u8; 64]", d: lanes }, "assert(hash(a) == d);"],
    "hash, 135 bytes": [{ a: "[u8; 135]", d: lanes }, "assert(hash(a) == d);"],
    "hash_bounded, up to 135 bytes": [
      { a: "[u8; 135]", n: "u32", d: lanes },
      "assert(hash_bounded(a, n) == d);",
    ],
    "hash_followed, up to 108 bytes and 27": [
      { a: "[u8; 108]", n: "u32", d: lanes },
      'assert(hash_followed(a, n, "partner_country_attestation".as_bytes()) == d);',
    ],
    "hash_marked, up to 128 bytes": [
      { a: "[u8; 128]", e: "[Field; 129]", d: lanes },
      "assert(hash_marked(a, e) == d);",
    ],
    hash_node: [{ a: lanes, b: lanes, d: lanes }, "assert(hash_node(a, b) == d);"],
    to_bytes: [{ a: lanes, d: bytes32 }, "assert(to_bytes(a) == d);"],
  },
  secp256k1_account: {
    address: [
      { x: bytes32, y: bytes32, d: "[u8; 20]" },
      "assert(address(PublicKey { x, y }) == d);",
      "secp256k1_account::PublicKey",
    ],
    assert_signed: [
      { x: bytes32, y: bytes32, r: bytes32, s: bytes32, d: bytes32 },
      "assert_signed(PublicKey { x, y }, Signature { r, s }, d);",
      "secp256k1_account::PublicKey",
      "secp256k1_account::Signature",
    ],
  },
  eip1559_payload: {
    "parse, 36 bytes of data": [
      { p: "BoundedVec<u8, 135>", h: lanes, d: "[u8; 36]" },
      "let call: Call<36> = parse(p, NETWORK_ELIGIBILITY.chain_id, NETWORK_ELIGIBILITY.address); assert((call.hash == h) & (call.data == d));",
      "eip1559_payload::Call",
      "attester_config::NETWORK_ELIGIBILITY",
    ],
  },
  merkle_signers: {
    "assert_member, depth 2": [
      { root: bytes32, a: "[u8; 20]", path: "[[u8; 32]; 2]", leaf_index: "u8", depth: "u8" },
      "assert_member(root, a, Membership { path, leaf_index, depth });",
      "merkle_signers::Membership",
    ],
  },
  wallet_nullifier: {
    assert_nullifier: [
      { n: bytes32, a: "[u8; 20]", t: bytes32, s: bytes32 },
      "assert_nullifier(n, a, t, s);",
    ],
  },
  tagged_hash: {
    hash: [{ a: "Field", b: "Field", d: "Field" }, "assert(hash(1, a, b) == d);"],
  },
  crowd_tree: {
    "assert_member, depth 20": [
      { root: "Field", leaf: "Field", siblings: "[Field; 20]", index: "Field" },
      "assert_member(root, leaf, siblings, index);",
    ],
  },
  ban_list: {
    "assert_not_listed, 32 bans": [
      { s: "Field", w: "[Field; 32]", t: "[Field; 32]" },
      "assert_not_listed(s, BanList { weeks: w, tags: t });",
      "ban_list::BanList",
    ],
  },
  country_list: {
    "assert_listed, 10 countries": [
      { l: "BoundedVec<[u8; 2], 10>", c: "[u8; 2]", i: "bool" },
      "assert_listed(l, c, i);",
    ],
  },
  rsa2048: {
    assert_signature: [{ n: limbs, r: limbs, s: limbs, d: "[u32; 8]" }, "assert_signature(n, r, s, d);"],
  },
  sha256_tail: {
    "finish, 640 bytes": [
      { h: "[u32; 8]", a: "[u8; 640]", n: "u32", t: "u32", d: "[u32; 8]" },
      "assert(finish(h, a, n, t) == d);",
    ],
  },
  base64url: {
    "decode, 640 characters": [
      { a: "[u8; 640]", o: "u32", d: "[u8; 480]" },
      "let (bytes, _) = decode(a, o); assert(bytes == d);",
    ],
  },
  json_claims: {
    "walk, 480 bytes": [{ a: "[u8; 480]", d: "Field" }, "assert(walk(a)[0] == d);"],
    "assert_absent, 480 bytes": [
      { a: "[u8; 480]", w: "bool" },
      'assert_absent(a, "\\"nonce\\":".as_bytes(), w);',
    ],
    "assert_claim, 9 bytes in 480": [
      { t: "[Field; 480]", a: "Field", p: "bool" },
      'assert_claim(t, a, "\\"email\\":\\"".as_bytes(), INSIDE, p);',
      "json_claims::INSIDE",
    ],
    "read_string, up to 128 bytes in 480": [
      { t: "[Field; 480]", a: "Field", n: "u32", d: "[u8; 128]" },
      "let read: ReadString<128> = read_string(t, a, n); assert(read.bytes == d);",
      "json_claims::ReadString",
    ],
    read_timestamp: [{ t: "[Field; 480]", a: "Field", d: "Field" }, "assert(read_timestamp(t, a) == d);"],
  },
  email_address: {
    "assert_email, 128 bytes": [{ a: "[u8; 128]" }, "assert_email(a);"],
    "assert_domain, 64 bytes": [{ a: "[u8; 64]" }, "assert_domain(a);"],
  },
};

const gadgets = Object.entries(GADGETS).flatMap(([crate, named]) =>
  Object.entries(named).map(([name, [parameters, call, ...more]]) => ({
    ...{ crate, name, parameters, call },
    imports: [`${crate}::${name.split(",")[0]}`, ...more],
  })),
);

/**
 * Four hashes and a signature, which every measured program contains. The size of a small circuit is that of its lookup
 * tables, so a gadget's own gates only show in a larger one.
 */
const BALLAST = {
  imports: [
    "keccak256::{hash_node as ballast_hash, to_bytes as ballast_bytes}",
    "secp256k1_account::{assert_signed as ballast_signed}",
    "secp256k1_account::{PublicKey as BallastKey, Signature as BallastSignature}",
  ],
  parameters: "ballast_b: [[u64; 4]; 5], ballast_k: [[u8; 32]; 4]",
  call: [
    "let mut ballast = ballast_b[0];",
    "for i in 1..5 { ballast = ballast_hash(ballast, ballast_b[i]); }",
    "ballast_signed(BallastKey { x: ballast_k[0], y: ballast_k[1] }, BallastSignature { r: ballast_k[2], s: ballast_k[3] }, ballast_bytes(ballast));",
  ].join(" "),
};

/** Returns a program with the parameters of all gadgets, named by gadget, that calls the one at `called`, or none. */
function programOf(called?: number): string {
  const gadget = gadgets.find((_, at) => at === called);
  const declared = gadgets.flatMap(({ parameters }, at) =>
    Object.entries(parameters).map(([name, type]) => `g${at}_${name}: ${type}`),
  );
  return [
    ...[...BALLAST.imports, ...(gadget?.imports ?? [])].map((name) => `use ${name};`),
    `fn main(${[BALLAST.parameters, ...declared].join(", ")}) {`,
    BALLAST.call,
    ...Object.keys(gadget?.parameters ?? {}).map((name) => `let ${name} = g${called}_${name};`),
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
export async function measureGadgets(report: (crate: string, gadget: string, gates: number) => void) {
  await withFolder(async (root) => {
    fs.cpSync(path.join(CIRCUITS_DIR, "lib"), path.join(root, "lib"), { recursive: true });
    const without = await gatesOf(root, programOf());
    for (const [at, { crate, name }] of gadgets.entries()) {
      report(crate, name, (await gatesOf(root, programOf(at))) - without);
    }
  });
}
