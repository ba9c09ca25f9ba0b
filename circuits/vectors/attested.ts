import {
  concat,
  domainSeparator,
  encodePacked,
  type Hex,
  hashStruct,
  hashTypedData,
  keccak256,
  stringToBytes,
  stringToHex,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { attestersOf } from "@/lib/proofs/trust/attesters";
import {
  type AttestedCircuit,
  bytes32,
  type Case,
  Circuit,
  flipped,
  Maker,
  numberOf,
  placeOf,
  SCOPE,
  SIGNER_KEYS,
  testKey,
  USER_KEY,
  withByte,
  withField,
} from "../soundness";
import { ABOUT, type AttestedVectors, vectorOf } from "./schema";

const users = [0, 1, 77].map((index) => testKey(1, index));
const signers = SIGNER_KEYS;
const addressOf = (key: Hex) => privateKeyToAccount(key).address;
const scopeWord = (text: string) => keccak256(stringToBytes(text));

/** An action as an application would have a wallet sign it. */
const typedData = {
  domain: {
    name: "Parley vectors",
    version: "1",
    chainId: 8453,
    verifyingContract: "0x00000000000000000000000000000000000000A1",
  },
  types: {
    Vote: [
      { name: "proposal", type: "uint256" },
      { name: "choice", type: "string" },
      { name: "voter", type: "Voter" },
    ],
    Voter: [{ name: "nullifier", type: "bytes32" }],
  },
  primaryType: "Vote",
  message: { proposal: 7n, choice: "yes", voter: { nullifier: `0x${"11".repeat(32)}` } },
} as const;

const action = {
  domainSeparator: domainSeparator({ domain: typedData.domain }),
  actionHash: hashStruct({
    data: { ...typedData.message },
    primaryType: typedData.primaryType,
    types: { Vote: [...typedData.types.Vote], Voter: [...typedData.types.Voter] },
  }),
};

function treeOf(size: number): AttestedVectors["derivations"]["trees"][number] {
  const addresses = signers.slice(0, size).map(addressOf);
  return {
    signers: addresses,
    leaves: addresses.map((address) => keccak256(address)),
    root: placeOf(addresses, 0).root,
    proofs: addresses.map((_, index) => placeOf(addresses, index).siblings),
  };
}

function signalHashOf(circuit: AttestedCircuit, user: Hex, scope: string) {
  if (circuit === "partner_country_attestation") {
    const packed = encodePacked(["address", "string", "string"], [user, scope, circuit]);
    return { user, scope, signalHash: keccak256(packed) };
  }
  const nonce = "a-challenge-nonce";
  return { user, scope, nonce, signalHash: keccak256(stringToHex(`${circuit}:${scope}:${nonce}`)) };
}

function nullifierOf(user: Hex, tag: Hex, scope: Hex) {
  const nullifier = keccak256(concat([keccak256(concat([user, tag])), scope]));
  return { user, tag, scope, nullifier };
}

function acceptedCases(maker: Maker): Promise<Case[]> {
  return Promise.all([
    maker.accepted("the first of four signers"),
    maker.accepted("the last of four signers", { signerIndex: 3 }),
    maker.accepted("the only signer", { signerKeys: SIGNER_KEYS.slice(0, 1) }),
    maker.accepted("another user and scope", { userKey: users[2], scope: "another:scope" }),
    maker.accepted("transaction nonce 0", { transaction: { nonce: 0 } }),
    ...(maker.isCountry
      ? [
          maker.accepted("a country that is not in the list", { country: "ES" }),
          maker.accepted("ten countries", {
            countries: ["AA", "BB", "CC", "DD", "EE", "FF", "GG", "HH", "II", "DE"],
          }),
        ]
      : [maker.accepted("an action", { action })]),
  ]);
}

async function refusedCases(maker: Maker): Promise<Case[]> {
  type Args = Parameters<Maker["refused"]>;
  const changed = (name: string, change: Args[1], options?: Args[3]) =>
    maker.refused(name, change, /./, options);
  const signed = (name: string, options: Args[3]) => changed(name, () => undefined, options);
  const bit = (field: "to" | "data", at: number) => ({
    payload: withField(
      field,
      withByte(at, (byte) => byte ^ 1),
    ),
  });
  const other = await maker.witness({ userKey: users[1] });
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  return Promise.all([
    signed("another contract", bit("to", 20)),
    signed("another function", bit("data", 1)),
    signed("another account", bit("data", 36)),
    signed("another chain", { transaction: { chainId: 1 } }),
    signed("ether in the transaction", { transaction: { value: 1n } }),
    signed("a nonce in another encoding", { payload: withField("nonce", () => Uint8Array.of(0x81, 5)) }),
    changed("a high s", (w) => (w.user_signature_s = bytes32(order - numberOf(w.user_signature_s)))),
    changed("another leaf", (w) => (w.leaf_index = 1)),
    changed("a sibling in a list of one", (w) => (w.merkle_path[0] = flipped(w.merkle_path[0] ?? [], 0)), {
      signerKeys: SIGNER_KEYS.slice(0, 1),
    }),
    changed("another user's nullifier", (w) => (w.nullifier = other.nullifier)),
    changed("another scope", (w) => (w.scope = flipped(w.scope, 0))),
    ...(maker.isCountry
      ? [
          changed("a country that is not in the list as in it", (w) => (w.is_included = true), {
            country: "ES",
          }),
          signed("a country twice", { countries: ["DE", "FR", "DE"] }),
          signed("no scope", { scope: "" }),
          changed("a signal hash of one's own", (w) => (w.signal_hash = flipped(w.signal_hash, 31))),
        ]
      : [
          changed("half an action", (w) => (w.action_hash = bytes32(1n))),
          changed("an action with a signal hash", (w) => (w.signal_hash = bytes32(1n)), { action }),
        ]),
  ]);
}

/** circuits/vectors/<circuit>.json of an attested circuit. */
export async function attestedVectors(id: AttestedCircuit): Promise<AttestedVectors> {
  const circuit = Circuit.committed(id);
  const maker = await Maker.of(id);
  const { chainId, contract, selector } = attestersOf("production")[id];
  const tag = keccak256(stringToHex(id));
  const wallets = users.map(addressOf);
  const signals = wallets.flatMap((user) =>
    [SCOPE, "another:scope"].map((scope) => signalHashOf(id, user, scope)),
  );
  const cases = [];
  for (const one of await acceptedCases(maker)) cases.push(await vectorOf(circuit, one, "accepted"));
  for (const one of await refusedCases(maker)) cases.push(await vectorOf(circuit, one, "refused"));
  const message = { ...typedData.message, proposal: typedData.message.proposal.toString() };
  return {
    about: ABOUT,
    circuit: id,
    build: "production",
    attester: { chainId, contract, selector },
    keys: { users: [USER_KEY, ...users.slice(1)], signers },
    derivations: {
      tag,
      scopes: [SCOPE, "another:scope", ""].map((text) => ({ text, word: scopeWord(text) })),
      signalHashes: signals,
      nullifiers: signals.map(({ user, scope, signalHash }) =>
        nullifierOf(user, maker.isCountry ? signalHash : tag, scopeWord(scope)),
      ),
      trees: [1, 2, 3, 4].map(treeOf),
      actions: [{ typedData: { ...typedData, message }, ...action, digest: hashTypedData({ ...typedData }) }],
    },
    cases,
  };
}
