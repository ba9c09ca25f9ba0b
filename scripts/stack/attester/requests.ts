import { isAddress } from "viem";
import { z } from "zod";
import { addressSchema } from "@/lib/proofs/hex";
import { attestedCircuits } from "@/lib/proofs/trust/attesters";

/** What the API and the page accept. The messages are for the developer who typed it. */

const address = z
  .string("address is missing")
  .trim()
  .refine((v) => /^0x[0-9a-fA-F]{40}$/.test(v), "That is not an address: 0x and 40 hexadecimal digits.")
  .refine((v) => !/^0x0{40}$/.test(v), "Nobody holds the zero address.")
  // Capitals are a checksum (EIP-55): wrong ones mean a slip of the hand.
  .refine(
    (v) => /^0x([0-9a-f]{40}|[0-9A-F]{40})$/.test(v) || isAddress(v),
    "The checksum of that address is wrong.",
  )
  .pipe(addressSchema);
const country = z
  .string("country is missing: two letters, for example FR")
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/, "A country is two letters, for example FR (ISO 3166-1 alpha-2).");
const noCountry = z
  .union([z.undefined(), z.null(), z.literal("")], "country goes with partner_country_attestation only")
  .optional();

/** `{circuit, address, country?}` of POST /attest; a country exactly for the country circuit. */
export const attestRequestSchema = z.discriminatedUnion(
  "circuit",
  [
    z.object({ circuit: z.literal("partner_country_attestation"), address, country }),
    z.object({ circuit: z.literal("network_eligibility"), address, country: noCountry }),
    z.object({ circuit: z.literal("regional_attestation"), address, country: noCountry }),
  ],
  { error: `circuit must be one of ${attestedCircuits.join(", ")}` },
);

/** `{circuit, address}` of POST /revoke. */
export const revokeRequestSchema = z.object({
  circuit: z.enum(attestedCircuits, `circuit must be one of ${attestedCircuits.join(", ")}`),
  address,
});

/** The address whose attestations the page shows. */
export const shownAddressSchema = address;
