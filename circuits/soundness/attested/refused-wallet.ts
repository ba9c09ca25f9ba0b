import { secp256k1 } from "@noble/curves/secp256k1.js";
import { privateKeyToAccount } from "viem/accounts";
import type { Case } from "../case";
import { bytes32, flipped, type Maker, numberOf, type Witness } from "./make";
import { bytesOf, placeOf, SIGNER_KEYS, testKey } from "./witness";

const { n, p } = secp256k1.Point.CURVE();
const WHO = ["user", "attester"] as const;

/** Rule 10 and what ECDSA must refuse, for both signatures. */
export async function signatureCases(maker: Maker): Promise<Case[]> {
  const SIGNATURE = /account: signature/;
  const ANY = /./;
  const cases = WHO.flatMap((who) => {
    const [r, s, x, y] = [
      `${who}_signature_r`,
      `${who}_signature_s`,
      `${who}_pubkey_x`,
      `${who}_pubkey_y`,
    ] as const;
    const set = (
      name: string,
      field: typeof r | typeof s | typeof x | typeof y,
      change: (value: bigint) => bigint,
      reason = SIGNATURE,
    ) =>
      maker.refused(
        `${who}: ${name}`,
        (witness) => {
          witness[field] = bytes32(change(numberOf(witness[field])));
        },
        reason,
      );
    return [
      set("a high s", s, (value) => n - value),
      set("s one larger", s, (value) => value + 1n),
      set("r one larger", r, (value) => value + 1n),
      set("r zero", r, () => 0n),
      set("s zero", s, () => 0n),
      set("r the order", r, () => n),
      set("s the order", s, () => n),
      set("s half the order and a half", s, () => (n + 1n) / 2n),
      set("r 2^256 - 1", r, () => (1n << 256n) - 1n),
      // Another address follows from another key, and with it another reason in the eligibility circuits.
      set("x one larger", x, (value) => value + 1n, ANY),
      set("the key's negative", y, (value) => p - value, ANY),
      set("a key of zeros in y", y, () => 0n, ANY),
      set("a y one larger", y, (value) => value + 1n, ANY),
      maker.refused(
        `${who}: r and s exchanged`,
        (witness) => {
          [witness[r], witness[s]] = [witness[s], witness[r]];
        },
        SIGNATURE,
      ),
      maker.refused(
        `${who}: everything zero`,
        (witness) => {
          for (const field of [r, s, x, y]) witness[field] = bytes32(0n);
        },
        ANY,
      ),
    ];
  });
  return Promise.all([
    ...cases,
    maker.refused(
      "the attester's signature by another signer of the list",
      async (witness) => {
        const other = await maker.witness({ signerIndex: 1 });
        witness.attester_signature_r = other.attester_signature_r;
        witness.attester_signature_s = other.attester_signature_s;
      },
      SIGNATURE,
    ),
    maker.refused(
      "the user's signature by another user",
      async (witness) => {
        const other = await maker.witness({ userKey: testKey(1, 7) });
        witness.user_signature_r = other.user_signature_r;
        witness.user_signature_s = other.user_signature_s;
      },
      SIGNATURE,
    ),
    maker.refused(
      "another user with an attestation of the first",
      async (witness) => {
        const { unsigned_transaction, attester_signature_r, attester_signature_s } = await maker.witness();
        Object.assign(witness, { unsigned_transaction, attester_signature_r, attester_signature_s });
      },
      /attestation: another account/,
      { userKey: testKey(1, 7) },
    ),
    maker.refused(
      "a transaction changed after it was signed",
      (w) => {
        const { storage } = w.unsigned_transaction;
        storage[8] = (storage[8] ?? 0) ^ 1;
      },
      SIGNATURE,
    ),
  ]);
}

/** Rule 11: the signer is in the list. */
export async function merkleCases(maker: Maker): Promise<Case[]> {
  const strangers = [9, 10, 11, 12].map((index) => testKey(3, index));
  const setRoot = (witness: Witness, root: number[]) => {
    if (maker.isCountry) witness.merkle_root = root;
    else witness.signer_list_merkle_root = root;
  };
  const addresses = SIGNER_KEYS.map((signer) => privateKeyToAccount(signer).address);
  const root = bytesOf(placeOf(addresses, 0).root);
  const one = SIGNER_KEYS.slice(0, 1);
  const two = SIGNER_KEYS.slice(0, 2);
  return Promise.all([
    maker.refused("a list of strangers as the trusted one", (w) => setRoot(w, root), /merkle: root/, {
      signerKeys: strangers,
    }),
    maker.refused("a signer of one as the trusted list", (w) => setRoot(w, root), /merkle: root/, {
      signerKeys: one,
    }),
    ...[0, 31].map((i) =>
      maker.refused(
        `root byte ${i} changed`,
        (w) => setRoot(w, flipped(w.merkle_root ?? w.signer_list_merkle_root ?? [], i)),
        /merkle: root/,
      ),
    ),
    ...[1, 2, 3].map((leaf) =>
      maker.refused(`leaf ${leaf} for 0`, (w) => (w.leaf_index = leaf), /merkle: root/),
    ),
    ...[2, 3].map((leaf) =>
      maker.refused(`leaf ${leaf} in a tree of depth 1`, (w) => (w.leaf_index = leaf), /leaf index/, {
        signerKeys: two,
      }),
    ),
    ...[4, 6, 8, 16, 255].map((leaf) => maker.refused(`leaf ${leaf}`, (w) => (w.leaf_index = leaf), /./)),
    maker.refused("a leaf index in a list of one", (w) => (w.leaf_index = 1), /merkle: leaf index/, {
      signerKeys: one,
    }),
    maker.refused("depth one less", (w) => (w.depth -= 1), /merkle/),
    maker.refused("depth one more", (w) => (w.depth += 1), /merkle: root/, { signerKeys: two }),
    maker.refused("depth 0", (w) => (w.depth = 0), /merkle/),
    maker.refused("depth 3", (w) => (w.depth = 3), /merkle: depth/),
    maker.refused("depth 255", (w) => (w.depth = 255), /merkle: depth/),
    ...[0, 1].map((level) =>
      maker.refused(
        `sibling ${level} changed`,
        (w) => {
          w.merkle_path[level] = flipped(w.merkle_path[level] ?? [], 0);
        },
        /merkle: root/,
      ),
    ),
    ...[0, 1].map((level) =>
      maker.refused(
        `an unused sibling ${level}`,
        (w) => {
          w.merkle_path[level] = flipped(w.merkle_path[level] ?? [], 8 * level + 7);
        },
        /merkle: unused sibling/,
        { signerKeys: one },
      ),
    ),
    maker.refused(
      "a node taken for a leaf",
      (w) => {
        w.merkle_path = [w.merkle_path[1] ?? [], bytes32(0n)];
        w.depth = 1;
      },
      /merkle: root/,
    ),
  ]);
}

/** The nullifier, the scope and the lengths, which all three circuits have. */
export async function nullifierCases(maker: Maker): Promise<Case[]> {
  const other = await maker.witness({ userKey: testKey(1, 9) });
  const elsewhere = await maker.witness({ scope: "another:scope" });
  return Promise.all([
    ...[0, 7, 8, 31].map((i) =>
      maker.refused(
        `nullifier byte ${i} changed`,
        (w) => (w.nullifier = flipped(w.nullifier, i)),
        /wallet: nullifier/,
      ),
    ),
    maker.refused("another user's nullifier", (w) => (w.nullifier = other.nullifier), /wallet: nullifier/),
    maker.refused(
      "another scope's nullifier",
      (w) => (w.nullifier = elsewhere.nullifier),
      /wallet: nullifier/,
    ),
    ...[0, 31].map((i) =>
      maker.refused(
        `scope byte ${i} changed`,
        (w) => (w.scope = flipped(w.scope, i)),
        /country: scope|wallet: nullifier/,
      ),
    ),
    ...[-1, 1].map((by) =>
      maker.refused(`transaction longer by ${by}`, (w) => (w.unsigned_transaction.len += by), /./),
    ),
    maker.refused(
      "a transaction of 136 bytes",
      (w) => (w.unsigned_transaction.len = 136),
      /keccak: too many bytes/,
    ),
    maker.refused(
      "a transaction of 2^32 - 1 bytes",
      (w) => (w.unsigned_transaction.len = 0xffffffff),
      /keccak/,
    ),
    maker.refused("a transaction of no bytes", (w) => (w.unsigned_transaction.len = 0), /./),
    ...[0, 8, 134].map((i) =>
      maker.refused(
        `a byte ${i} after the transaction`,
        (w) => {
          const { storage, len } = w.unsigned_transaction;
          storage[Math.min(len + i, 134)] = 1;
        },
        /keccak: bytes after the end|assert_max|Cannot/,
      ),
    ),
  ]);
}
