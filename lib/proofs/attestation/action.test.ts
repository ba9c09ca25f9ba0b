import fc from "fast-check";
import { hashTypedData, type TypedDataDefinition } from "viem";
import { describe, expect, it } from "vitest";
import { person } from "../testing/attestations";
import { actionSchema, hashesOf, readAction } from "./action";
import { describeAction } from "./action-lines";

/** The example of EIP-712 itself, with the hashes its reference implementation states. */
const mail = {
  types: {
    EIP712Domain: [
      { name: "name", type: "string" },
      { name: "version", type: "string" },
      { name: "chainId", type: "uint256" },
      { name: "verifyingContract", type: "address" },
    ],
    Person: [
      { name: "name", type: "string" },
      { name: "wallet", type: "address" },
    ],
    Mail: [
      { name: "from", type: "Person" },
      { name: "to", type: "Person" },
      { name: "contents", type: "string" },
    ],
  },
  primaryType: "Mail",
  domain: {
    name: "Ether Mail",
    version: "1",
    chainId: 1,
    verifyingContract: "0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC",
  },
  message: {
    from: { name: "Cow", wallet: "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826" },
    to: { name: "Bob", wallet: "0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB" },
    contents: "Hello, Bob!",
  },
};

/** Every kind of type, nested. */
const order = {
  domain: { ...mail.domain, salt: `0x${"5a".repeat(32)}` },
  primaryType: "Order",
  types: {
    Order: [
      { name: "id", type: "bytes32" },
      { name: "items", type: "Item[]" },
      { name: "grid", type: "int8[2][]" },
      { name: "paid", type: "bool" },
      { name: "note", type: "bytes" },
      { name: "nothing", type: "string[]" },
    ],
    Item: [
      { name: "owner", type: "address" },
      { name: "price", type: "uint256" },
      { name: "parts", type: "Item[]" },
    ],
  },
  message: {
    id: `0x${"AB".repeat(32)}`,
    items: [
      {
        owner: "0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826",
        price: (2n ** 256n - 1n).toString(),
        parts: [{ owner: "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826", price: "0x10", parts: [] }],
      },
    ],
    grid: [
      [-128, 127],
      [0, "-1"],
    ],
    paid: true,
    note: "0x",
    nothing: [],
  },
};

describe("an action's hashes", () => {
  it("are those EIP-712 states for its own example", () => {
    expect(hashesOf(readAction(mail))).toEqual({
      domainSeparator: "0xf2cee375fa42b42143804025fc449deafd50cc031ca257e0b194a650a912090f",
      actionHash: "0xc52c0ee5d84264471806290a3f2c4cecfc5490626bf912d01f240d7a274b371e",
      digest: "0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2",
    });
  });

  it("are what a wallet signs, also after the action went through JSON", async () => {
    for (const raw of [mail, order]) {
      const action = readAction(raw);
      const sent = readAction(JSON.parse(JSON.stringify(action)));
      expect(sent).toEqual(action);
      const digest = hashTypedData(action satisfies TypedDataDefinition<Record<string, unknown>, string>);
      expect(hashesOf(action).digest).toBe(digest);
      expect(await person.signTypedData(action)).toBe(await person.sign({ hash: digest }));
    }
  });

  it("depend on every value, every name and every field of the domain", () => {
    const digests = [
      mail,
      { ...mail, message: { ...mail.message, contents: "Hello, Bob" } },
      { ...mail, message: { ...mail.message, to: mail.message.from } },
      { ...mail, domain: { ...mail.domain, chainId: 2 } },
      { ...mail, domain: { ...mail.domain, name: "ether Mail" } },
      { ...mail, domain: { ...mail.domain, version: "2" } },
      { ...mail, domain: { ...mail.domain, verifyingContract: person.address } },
      { ...order, primaryType: "Item", message: order.message.items[0] },
      order,
    ].map((action) => hashesOf(readAction(action)).digest);
    expect(new Set(digests).size).toBe(digests.length);
  });
});

describe("an action is shown", () => {
  it("in full, in the order it is signed", () => {
    expect(describeAction(readAction(order))).toEqual(
      [
        ["domain", "EIP712Domain", "", 0],
        ["domain.name", "string", "Ether Mail", 1],
        ["domain.version", "string", "1", 1],
        ["domain.chainId", "uint256", "1", 1],
        ["domain.verifyingContract", "address", "0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC", 1],
        ["domain.salt", "bytes32", `0x${"5a".repeat(32)}`, 1],
        ["message", "Order", "", 0],
        ["message.id", "bytes32", `0x${"ab".repeat(32)}`, 1],
        ["message.items", "Item[]", "1 entry", 1],
        ["message.items[0]", "Item", "", 2],
        ["message.items[0].owner", "address", "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826", 3],
        ["message.items[0].price", "uint256", (2n ** 256n - 1n).toString(), 3],
        ["message.items[0].parts", "Item[]", "1 entry", 3],
        ["message.items[0].parts[0]", "Item", "", 4],
        ["message.items[0].parts[0].owner", "address", "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826", 5],
        ["message.items[0].parts[0].price", "uint256", "16", 5],
        ["message.items[0].parts[0].parts", "Item[]", "0 entries", 5],
        ["message.grid", "int8[2][]", "2 entries", 1],
        ["message.grid[0]", "int8[2]", "2 entries", 2],
        ["message.grid[0][0]", "int8", "-128", 3],
        ["message.grid[0][1]", "int8", "127", 3],
        ["message.grid[1]", "int8[2]", "2 entries", 2],
        ["message.grid[1][0]", "int8", "0", 3],
        ["message.grid[1][1]", "int8", "-1", 3],
        ["message.paid", "bool", "true", 1],
        ["message.note", "bytes", "0x", 1],
        ["message.nothing", "string[]", "0 entries", 1],
      ].map(([path, type, value, depth]) => ({
        path,
        label: String(path).match(/(\[\d+\]|\w+)$/)?.[0],
        type,
        value,
        depth,
      })),
    );
  });

  it("so that two texts that differ never look alike", () => {
    const shown = (contents: string) =>
      describeAction(readAction({ ...mail, message: { ...mail.message, contents } })).at(-1)?.value ?? "";
    expect(shown("pay 1\u202E00\u202C")).toBe("pay 1\\u{202e}00\\u{202c}");
    expect(shown("a\nb\tc\u00a0d\u200be\\u{200b}")).toBe("a\\u{a}b\\u{9}c\\u{a0}d\\u{200b}e\\\\u{200b}");
    expect(shown("a\u034f\u3164b")).toBe("a\\u{34f}\\u{3164}b");
    expect(shown("Grüße, 世界 🙂")).toBe("Grüße, 世界 🙂");
    const texts = fc.string({ unit: "binary", maxLength: 20 }).filter((text) => !/\p{Surrogate}/u.test(text));
    fc.assert(
      fc.property(texts, texts, (one, two) => {
        expect(shown(one) === shown(two)).toBe(one === two);
        expect(shown(one)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      }),
    );
  });
});

describe("an action is refused", () => {
  const message = (change: Record<string, unknown>) => ({
    ...order,
    message: { ...order.message, ...change },
  });
  const domain = (change: Record<string, unknown>) => ({ ...mail, domain: { ...mail.domain, ...change } });
  const only = (type: string, value: unknown, types = {}) => ({
    ...mail,
    types: { Only: [{ name: "value", type }], ...types },
    primaryType: "Only",
    message: { value },
  });
  it.each<[string, unknown]>([
    ["without a domain name", domain({ name: undefined })],
    ["with an empty domain name", domain({ name: "" })],
    ["without a version", domain({ version: undefined })],
    ["without a chain", domain({ chainId: undefined })],
    ["with chain 0", domain({ chainId: 0 })],
    ["without a contract", domain({ verifyingContract: undefined })],
    ["with an unsigned domain field", domain({ extra: "1" })],
    ["whose domain type leaves fields out", { ...mail, types: { ...mail.types, EIP712Domain: [] } }],
    [
      "whose domain type has another order",
      { ...mail, types: { ...mail.types, EIP712Domain: mail.types.EIP712Domain.toReversed() } },
    ],
    ["of the domain's own type", { ...mail, primaryType: "EIP712Domain", message: mail.domain }],
    ["of an unknown type", { ...mail, primaryType: "Nothing" }],
    ["of no struct type", { ...mail, primaryType: "string" }],
    ["of a type every object has", { ...mail, primaryType: "constructor" }],
    ["with a member that is missing", message({ paid: undefined })],
    ["with a member nobody signs", message({ surprise: 1 })],
    ["with a list that is none", message({ items: {} })],
    ["with a fixed list of another length", message({ grid: [[1]] })],
    ["with a number that does not fit", message({ grid: [[128, 0]] })],
    ["with a fraction", message({ grid: [[0.5, 0]] })],
    ["with an unsafe number", only("uint256", 2 ** 53)],
    ["with a negative unsigned number", only("uint256", -1)],
    ["with a number in spaces", only("uint256", " 1")],
    ["with an empty number", only("uint256", "")],
    ["with an exponent", only("uint256", "1e3")],
    ["with a number for a bool", only("bool", 1)],
    ["with a number for a text", only("string", 1)],
    ["with half a character", only("string", "\ud800")],
    ["with an address too short", only("address", "0x00")],
    ["with half a byte", only("bytes", "0x0")],
    ["with bytes too short", only("bytes4", "0x00")],
    ["with the alias uint", only("uint", 1)],
    ["with uint7", only("uint7", 1)],
    ["with uint264", only("uint264", 1)],
    ["with bytes33", only("bytes33", `0x${"00".repeat(33)}`)],
    ["with a list of no length", only("uint8[0]", [])],
    ["with an undefined type", only("Missing", {})],
    ["with an undefined type nobody uses", only("uint8", 1, { Unused: [{ name: "a", type: "Missing" }] })],
    ["with a struct called like a type", only("uint8", 1, { uint16: [{ name: "a", type: "uint8" }] })],
    ["with a struct viem takes for a type", only("uint8", 1, { interest: [{ name: "a", type: "uint8" }] })],
    ["with a member twice", only("uint8", 1, { Twice: Array(2).fill({ name: "a", type: "uint8" }) })],
    ["with a member called __proto__", only("P", {}, { P: [{ name: "__proto__", type: "uint8" }] })],
    ["with a struct every object has", only("uint8", 1, { toString: [{ name: "a", type: "uint8" }] })],
    ["with a name that could be mistaken", only("uint8", 1, { А: [{ name: "a", type: "uint8" }] })],
    ["too large to be read", only("uint8[]", Array(1001).fill(1))],
    ["that is not one", "sign here"],
  ])("%s", (_, action) => {
    expect(() => readAction(action)).toThrow(
      expect.objectContaining({ name: "ProofInputError", code: "ACTION_INVALID" }),
    );
    expect(actionSchema.safeParse(action).success).toBe(false);
  });

  it("with the place of the fault, without its value", () => {
    const bad = message({ items: [{ ...order.message.items[0], price: "a secret" }] });
    expect(() => readAction(bad)).toThrow(
      expect.objectContaining({
        field: "action.message.items[0].price",
        message: expect.not.stringContaining("secret"),
      }),
    );
  });
});
