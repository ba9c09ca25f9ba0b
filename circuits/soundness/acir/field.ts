/** Order of the BN254 scalar field, the field circuits compute in. */
export const ORDER = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;

/** The representative from 0 to ORDER - 1. */
export function reduce(value: bigint): bigint {
  const rest = value % ORDER;
  return rest < 0n ? rest + ORDER : rest;
}

/** A number from big-endian bytes. */
export function fromBytes(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
}

/** A field element as acvm_js writes it: 0x and 64 digits. */
export function toWord(value: bigint): string {
  return `0x${reduce(value).toString(16).padStart(64, "0")}`;
}
