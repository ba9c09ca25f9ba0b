import { secp256k1 } from "@noble/curves/secp256k1.js";
import { concat, type Hex, keccak256, numberToHex, stringToHex, zeroHash } from "viem";
import { privateKeyToAccount, sign } from "viem/accounts";
import { describe, expect, it } from "vitest";
import {
  itemsOf,
  RANGE,
  type Refusal,
  refused,
  run,
  string,
  withByte,
  withItems,
  wrapped,
} from "./attestation-run";
import {
  ACTION,
  type AttestedCircuit,
  build,
  bytesOf,
  type CommonInputs,
  type CountryInputs,
  type EligibilityInputs,
  SCOPE,
  SIGNAL_HASH,
  SIGNER_KEYS,
  testKey,
  USER_KEY,
} from "./attestation-witness";

const N = secp256k1.Point.Fn.ORDER;
const P = secp256k1.Point.Fp.ORDER;
/** The user's key also makes the country circuit's signal hash, which is looked at first. */
const USER_SIGNATURE = /account: signature|country: signal hash/;
const SIGNATURE = /account: signature/;

const number = (bytes: number[]) => BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
const bytes32 = (value: bigint) => bytesOf(numberToHex(value, { size: 32 }));
const zeros = () => Array.from({ length: 32 }, () => 0);

/** Changes one byte of an array of bytes. */
function flip(bytes: number[] | undefined, at = 31): void {
  if (!bytes) throw new Error("no bytes");
  bytes[at] = (bytes[at] ?? 0) ^ 1;
}

type Named<C extends AttestedCircuit> = readonly (readonly [string, Refusal<C>])[];
type Changed = (inputs: CommonInputs) => void;

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

/** Changes of an otherwise honest witness. */
const changes: readonly (readonly [string, Changed, RegExp])[] = [
  ["a payload length of one more", ({ unsigned_transaction: t }) => void t.len++, /list length/],
  [
    "a payload length of one less",
    ({ unsigned_transaction: t }) => void t.len--,
    /list length|keccak|max_bit/,
  ],
  [
    "a payload length of 136",
    ({ unsigned_transaction: t }) => {
      t.len = 136;
    },
    /keccak: too many bytes|Cannot/,
  ],
  [
    "a byte after the payload",
    ({ unsigned_transaction: t }) => {
      t.storage[t.len] = 1;
    },
    RANGE,
  ],
  [
    "a byte far after the payload",
    ({ unsigned_transaction: t }) => {
      t.storage[134] = 1;
    },
    /after the end/,
  ],
  ["another nonce than was signed", ({ unsigned_transaction: t }) => flip(t.storage, 8), SIGNATURE],
  ["the user's s high", (inputs) => highS(inputs, "user"), SIGNATURE],
  ["the attester's s high", (inputs) => highS(inputs, "attester"), SIGNATURE],
  [
    "the user's r zero",
    (inputs) => {
      inputs.user_signature_r = zeros();
    },
    SIGNATURE,
  ],
  [
    "the user's s zero",
    (inputs) => {
      inputs.user_signature_s = zeros();
    },
    SIGNATURE,
  ],
  [
    "the attester's r zero",
    (inputs) => {
      inputs.attester_signature_r = zeros();
    },
    SIGNATURE,
  ],
  [
    "the attester's s zero",
    (inputs) => {
      inputs.attester_signature_s = zeros();
    },
    SIGNATURE,
  ],
  [
    "the user's r as the order",
    (inputs) => {
      inputs.user_signature_r = bytes32(N);
    },
    SIGNATURE,
  ],
  [
    "the user's s as the order",
    (inputs) => {
      inputs.user_signature_s = bytes32(N);
    },
    SIGNATURE,
  ],
  ["another r of the user", (inputs) => flip(inputs.user_signature_r), SIGNATURE],
  ["another s of the attester", (inputs) => flip(inputs.attester_signature_s), SIGNATURE],
  ["the user's key off the curve", (inputs) => flip(inputs.user_pubkey_y), USER_SIGNATURE],
  ["the attester's key off the curve", (inputs) => flip(inputs.attester_pubkey_x), SIGNATURE],
  [
    "the user's key negated",
    (inputs) => {
      inputs.user_pubkey_y = bytes32(P - number(inputs.user_pubkey_y));
    },
    USER_SIGNATURE,
  ],
  ["no key of the user", (inputs) => noKey(inputs), USER_SIGNATURE],
  [
    "another leaf index",
    (inputs) => {
      inputs.leaf_index = 1;
    },
    /merkle: root/,
  ],
  [
    "a leaf index of more than two bits",
    (inputs) => {
      inputs.leaf_index = 4;
    },
    RANGE,
  ],
  ["a depth of one less", (inputs) => lessDepth(inputs), /merkle: root/],
  ["a depth of one more", (inputs) => void inputs.depth++, /merkle: depth/],
  [
    "a depth of 8",
    (inputs) => {
      inputs.depth = 8;
    },
    /merkle: depth/,
  ],
  [
    "a depth of 255",
    (inputs) => {
      inputs.depth = 255;
    },
    /merkle: depth/,
  ],
  ["another sibling", (inputs) => flip(inputs.merkle_path[0]), /merkle: root/],
  ["another scope than the nullifier's", (inputs) => flip(inputs.scope), /nullifier|country: scope/],
  ["another nullifier", (inputs) => flip(inputs.nullifier), /wallet: nullifier/],
  [
    "a nullifier of zero",
    (inputs) => {
      inputs.nullifier = zeros();
    },
    /wallet: nullifier/,
  ],
];

function highS(inputs: CommonInputs, whose: "user" | "attester"): void {
  const field = `${whose}_signature_s` as const;
  inputs[field] = bytes32(N - number(inputs[field]));
}

function noKey(inputs: CommonInputs): void {
  inputs.user_pubkey_x = zeros();
  inputs.user_pubkey_y = zeros();
}

function lessDepth(inputs: CommonInputs): void {
  inputs.depth--;
  inputs.merkle_path[1] = zeros();
}

describe.each(["partner_country_attestation", "network_eligibility", "regional_attestation"] as const)(
  "%s refuses",
  (circuit) => {
    // The circuits share the gadgets: the rules of the payload are tested on two of them.
    it.each(circuit === "regional_attestation" ? [] : payloads)("%s", async (_name, refusal) => {
      await refused(circuit, refusal);
    });

    it.each(changes)("%s", async (_name, change, reason) => {
      await refused(circuit, { change, reason });
    });

    it("an attestation signed by who is not in the list", async () => {
      const stranger = await build(circuit, "production", { signerKeys: [testKey(3, 0)] });
      await refused(circuit, {
        change: (inputs) => {
          inputs.attester_pubkey_x = stranger.inputs.attester_pubkey_x;
          inputs.attester_pubkey_y = stranger.inputs.attester_pubkey_y;
          inputs.attester_signature_r = stranger.inputs.attester_signature_r;
          inputs.attester_signature_s = stranger.inputs.attester_signature_s;
        },
        reason: /merkle: root/,
      });
    });

    it("a leaf index beyond the tree, and a sibling that no level uses", async () => {
      const overrides = { signerKeys: SIGNER_KEYS.slice(0, 2) };
      const index: Refusal<typeof circuit> = {
        overrides,
        change: (inputs) => {
          inputs.leaf_index = 2;
        },
        reason: /merkle: leaf index/,
      };
      await refused(circuit, index);
      const reason = /merkle: unused sibling/;
      await refused(circuit, { overrides, change: ({ merkle_path }) => flip(merkle_path[1], 0), reason });
    });

    it("a list that is not the root's", async () => {
      const other = await build(circuit, "production", { signerKeys: [testKey(3, 0), testKey(2, 0)] });
      await refused(circuit, {
        change: (inputs) => {
          inputs.merkle_path = other.inputs.merkle_path;
          inputs.leaf_index = 1;
          inputs.depth = 1;
        },
        reason: /merkle: root/,
      });
    });

    it("a wallet that only knows of the attestation of another", async () => {
      const thief = await build(circuit, "production", { userKey: testKey(1, 1) });
      await refused(circuit, {
        change: (inputs) => {
          inputs.user_pubkey_x = thief.inputs.user_pubkey_x;
          inputs.user_pubkey_y = thief.inputs.user_pubkey_y;
          inputs.user_signature_r = thief.inputs.user_signature_r;
          inputs.user_signature_s = thief.inputs.user_signature_s;
        },
        reason: /another account|country: signal hash/,
      });
    });

    it("a signature without the prefix of personal_sign", async () => {
      const { inputs } = await build(circuit, "production");
      const hash: Hex = `0x${Buffer.from(inputs.signal_hash).toString("hex")}`;
      const { r, s } = await sign({ hash, privateKey: USER_KEY });
      inputs.user_signature_r = bytesOf(r);
      inputs.user_signature_s = bytesOf(s);
      expect(await run(circuit, inputs)).toMatch(SIGNATURE);
    });

    it("witnesses of the other build", async () => {
      const { inputs } = await build(circuit, "development");
      expect(await run(circuit, inputs, "development")).toBe("accepted");
      expect(await run(circuit, inputs, "production")).toMatch(/payload: recipient/);
      const production = await build(circuit, "production");
      expect(await run(circuit, production.inputs, "development")).toMatch(/payload: recipient/);
    });
  },
);

describe("another circuit's attestation", () => {
  it("is not the country's", async () => {
    const { inputs } = await build("partner_country_attestation", "production");
    const other = await build("network_eligibility", "production");
    const { unsigned_transaction, attester_signature_r, attester_signature_s } = other.inputs;
    const answer = await run("partner_country_attestation", {
      ...inputs,
      unsigned_transaction,
      attester_signature_r,
      attester_signature_s,
    });
    expect(answer).toMatch(/attestation: selector/);
  });

  it.each([
    ["network_eligibility", "regional_attestation"],
    ["regional_attestation", "network_eligibility"],
  ] as const)("is not that of %s", async (circuit, other) => {
    const { inputs } = await build(other, "production");
    expect(await run(circuit, inputs)).toMatch(/payload/);
  });
});

describe("partner_country_attestation refuses", () => {
  const circuit = "partner_country_attestation";

  /** The witness of a wallet that signs and hashes to a signal of its own choice. */
  async function unbound(signal: Hex): Promise<CountryInputs> {
    const { inputs } = await build(circuit, "production");
    const { address } = privateKeyToAccount(USER_KEY);
    const hash = keccak256(concat([stringToHex("\x19Ethereum Signed Message:\n32"), signal]));
    const { r, s } = await sign({ hash, privateKey: USER_KEY });
    const scope: Hex = `0x${Buffer.from(inputs.scope).toString("hex")}`;
    inputs.signal_hash = bytesOf(signal);
    inputs.user_signature_r = bytesOf(r);
    inputs.user_signature_s = bytesOf(s);
    inputs.nullifier = bytesOf(keccak256(concat([keccak256(concat([address, signal])), scope])));
    return inputs;
  }

  it.each([
    ["of a wallet's own choice", keccak256("0x01")],
    [
      "of another scope",
      keccak256(
        concat([privateKeyToAccount(USER_KEY).address, stringToHex(`${SCOPE}2`), stringToHex(circuit)]),
      ),
    ],
    [
      "of another circuit",
      keccak256(
        concat([
          privateKeyToAccount(USER_KEY).address,
          stringToHex(SCOPE),
          stringToHex("network_eligibility"),
        ]),
      ),
    ],
    [
      "of another account",
      keccak256(
        concat([privateKeyToAccount(testKey(1, 1)).address, stringToHex(SCOPE), stringToHex(circuit)]),
      ),
    ],
  ])("a signal hash %s", async (_name, signal) => {
    expect(await run(circuit, await unbound(signal))).toMatch(/country: signal hash/);
  });

  it("a scope string that moves into the circuit's id", async () => {
    // address ‖ "…1p" ‖ "artner…" would be the same bytes.
    const { inputs } = await build(circuit, "production");
    inputs.scope_string.storage[SCOPE.length] = 0x70;
    inputs.scope_string.len++;
    expect(await run(circuit, inputs)).toMatch(/country: scope/);
  });

  const refusals: Named<typeof circuit> = [
    ["no scope string", { overrides: { scope: "" }, reason: /country: no scope/ }],
    ["a scope string of 89 bytes", { overrides: { scope: "s".repeat(89) }, reason: /too many bytes|Cannot/ }],
    [
      "a byte after the scope string",
      {
        change: ({ scope_string: s }) => {
          s.storage[s.len] = 1;
        },
        reason: RANGE,
      },
    ],
    [
      "a byte at the scope string's end",
      {
        change: ({ scope_string: s }) => {
          s.storage[87] = 1;
        },
        reason: /after the end/,
      },
    ],
    ["a shorter scope string", { change: ({ scope_string: s }) => void s.len--, reason: RANGE }],
    ["a scope that is not the string's", { change: ({ scope }) => flip(scope), reason: /country: scope/ }],
    [
      "inclusion of a country that is not listed",
      { overrides: { country: "IT", isIncluded: true }, reason: /inclusion/ },
    ],
    [
      "exclusion of a country that is listed",
      { overrides: { country: "DE", isIncluded: false }, reason: /inclusion/ },
    ],
    [
      "a lower-case country in the attestation",
      { overrides: { country: "de", countries: ["FR"] }, reason: RANGE },
    ],
    [
      "a country of zeros in the attestation",
      { overrides: { country: "\0\0", countries: ["FR"] }, reason: RANGE },
    ],
    ["a lower-case country in the list", { overrides: { countries: ["DE", "fr"] }, reason: RANGE }],
    ["a country with a digit in the list", { overrides: { countries: ["DE", "F1"] }, reason: RANGE }],
    ["a country twice", { overrides: { countries: ["DE", "FR", "DE"] }, reason: /countries: twice/ }],
    [
      "another country twice",
      { overrides: { countries: ["FR", "DE", "IT", "IT"] }, reason: /countries: twice/ },
    ],
    ["an empty list", { overrides: { countries: [], isIncluded: false }, reason: /countries: none/ }],
    [
      "a list of eleven",
      {
        overrides: { countries: "AA BB CC DD EE FF GG HH II JJ".split(" ") },
        change: ({ countries }) => {
          countries.len = 11;
        },
        reason: /countries: too many|Cannot satisfy/,
      },
    ],
    [
      "an entry after the list",
      {
        change: ({ countries }) => {
          countries.storage[5] = [0x41, 0x41];
        },
        reason: /countries: bytes after/,
      },
    ],
    [
      "zeros within the list",
      {
        change: ({ countries }) => {
          countries.len = 3;
        },
        reason: RANGE,
      },
    ],
    [
      "a padding byte before the country",
      { overrides: withByte(-24, () => 0x20), reason: /country: padding/ },
    ],
  ];
  it.each(refusals)("%s", async (_name, refusal) => {
    await refused(circuit, refusal);
  });
});

describe.each(["network_eligibility", "regional_attestation"] as const)("%s refuses", (circuit) => {
  const set =
    (field: "signal_hash" | "domain_separator" | "action_hash", value: Hex) =>
    (inputs: EligibilityInputs) => {
      inputs[field] = bytesOf(value);
    };

  const refusals: Named<typeof circuit> = [
    [
      "an action without its domain",
      { overrides: { action: ACTION }, change: set("domain_separator", zeroHash), reason: /half an action/ },
    ],
    [
      "an action without its hash",
      { overrides: { action: ACTION }, change: set("action_hash", zeroHash), reason: /half an action/ },
    ],
    [
      "an identity with an action hash",
      { change: set("action_hash", ACTION.actionHash), reason: /half an action/ },
    ],
    [
      "an identity with a domain",
      { change: set("domain_separator", ACTION.domainSeparator), reason: /half an action/ },
    ],
    [
      "an action with a signal hash",
      { overrides: { action: ACTION, signalHash: SIGNAL_HASH }, reason: /no signal hash/ },
    ],
    [
      "another action than was signed",
      { overrides: { action: ACTION }, change: ({ action_hash }) => flip(action_hash), reason: SIGNATURE },
    ],
    [
      "another domain than was signed",
      {
        overrides: { action: ACTION },
        change: ({ domain_separator }) => flip(domain_separator),
        reason: SIGNATURE,
      },
    ],
    ["another signal than was signed", { change: ({ signal_hash }) => flip(signal_hash), reason: SIGNATURE }],
    [
      "an identity's signature for an action",
      {
        change: (inputs) => {
          inputs.signal_hash = zeros();
          inputs.domain_separator = bytesOf(ACTION.domainSeparator);
          inputs.action_hash = bytesOf(ACTION.actionHash);
        },
        reason: SIGNATURE,
      },
    ],
    [
      "an action's signature for an identity",
      {
        overrides: { action: ACTION },
        change: (inputs) => {
          inputs.signal_hash = bytesOf(SIGNAL_HASH);
          inputs.domain_separator = zeros();
          inputs.action_hash = zeros();
        },
        reason: SIGNATURE,
      },
    ],
    ["another list", { change: ({ signer_list_merkle_root: root }) => flip(root), reason: /merkle: root/ }],
  ];
  it.each(refusals)("%s", async (_name, refusal) => {
    await refused(circuit, refusal);
  });

  it("the nullifier of the other circuit", async () => {
    const other = circuit === "network_eligibility" ? "regional_attestation" : "network_eligibility";
    const { inputs } = await build(other, "production");
    await refused(circuit, {
      change: (own) => {
        own.nullifier = inputs.nullifier;
      },
      reason: /wallet: nullifier/,
    });
  });
});
