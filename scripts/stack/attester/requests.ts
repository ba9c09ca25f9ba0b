import { isAddress } from "viem";
import { z } from "zod";
import { addressSchema } from "@/lib/proofs/hex";
import { attestedCircuits } from "@/lib/proofs/trust/attesters";

const address = z
  .string("address is missing")
  .trim()
  .refine((v) => /^0x[0-9a-fA-F]{40}$/.test(v), "Enter a valid address: 0x and 40 hexadecimal digits.")
  .refine((v) => !/^0x0{40}$/.test(v), "The zero address has no holder.")
  // Capitals are a checksum (EIP-55): wrong ones mean a typo.
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

/** Body of POST /attest: `{circuit, address, country?}`. The country circuit requires a country, the others refuse one. */
export const attestRequestSchema = z.discriminatedUnion(
  "circuit",
  [
    z.object({ circuit: z.literal("partner_country_attestation"), address, country }),
    z.object({ circuit: z.literal("network_eligibility"), address, country: noCountry }),
    z.object({ circuit: z.literal("regional_attestation"), address, country: noCountry }),
  ],
  { error: `circuit must be one of ${attestedCircuits.join(", ")}` },
);

export type AttestationRequest = z.infer<typeof attestRequestSchema>;

/** Body of POST /revoke: `{circuit, address}`. */
export const revokeRequestSchema = z.object({
  circuit: z.enum(attestedCircuits, `circuit must be one of ${attestedCircuits.join(", ")}`),
  address,
});

/** An address in the query of the page. */
export const shownAddressSchema = address;
