import { type Hex, keccak256, numberToHex } from "viem";
import { FIELD_MODULUS } from "./words";

/** bb's hash of a verification key, as its Solidity verifiers have it compiled in. @param vk bb's binary key */
export function vkHashOf(vk: Uint8Array): Hex {
  return numberToHex(BigInt(keccak256(vk)) % FIELD_MODULUS, { size: 32 });
}
