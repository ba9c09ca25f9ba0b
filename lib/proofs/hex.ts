import { type Address, getAddress, type Hex, isAddress, isHex } from "viem";
import { z } from "zod";

/** Hex with 0x prefix, of any even length. */
export const hexSchema = z.custom<Hex>((v) => isHex(v, { strict: true }) && v.length % 2 === 0, {
  error: "must be 0x-prefixed hex of whole bytes",
});

/** Hex with 0x prefix of exactly 32 bytes, converted to lower case. */
export const hex32Schema = z
  .custom<Hex>((v) => isHex(v, { strict: true }) && v.length === 66, {
    error: "must be 32 bytes of 0x-prefixed hex",
  })
  .transform((v): Hex => `0x${v.slice(2).toLowerCase()}`);

/** An Ethereum address, converted to its checksummed form. */
export const addressSchema = z
  .custom<Address>((v) => typeof v === "string" && isAddress(v, { strict: false }), {
    error: "must be an address",
  })
  .transform((v) => getAddress(v));
