/** A gadget whose cost is measured: a call of a crate's function with arguments that nothing is known of. */
export interface Gadget {
  crate: string;
  name: string;
  /** Names to import from the crate. */
  uses: string;
  /** Other crates that the arguments need, with the names to import from them. */
  also?: Record<string, string>;
  /** Parameters as name and Noir type; each call gets its own. */
  parameters: Record<string, string>;
  /** The call, with the parameters by name. */
  call: string;
}

const bytes32 = "[u8; 32]";
const lanes = "[u64; 4]";
const limbs = "[u128; 18]";

/** Every gadget of the crates, in the order of the table. */
export const GADGETS: Gadget[] = [
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
