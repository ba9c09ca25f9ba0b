import { readFile, rename, writeFile } from "node:fs/promises";
import { z } from "zod";
import { circuitIdSchema } from "@/lib/proofs/deployment";
import { addressSchema, hex32Schema } from "@/lib/proofs/hex";
import { DeployError } from "./options";

const entrySchema = z.strictObject({
  /** The address that verifies proofs. */
  front: addressSchema,
  /** The generated verifier behind it. */
  verifier: addressSchema,
  /** Libraries the verifier is linked to. */
  libraries: z.record(z.string(), addressSchema),
  vkHash: hex32Schema,
  /** Digest of the points behind the verification key. */
  srsDigest: hex32Schema,
  /** With development setup data anyone can forge proofs. */
  srsKind: z.enum(["ignition", "development"]),
  /** keccak256 of the code of each contract, by name: what `npm run doctor` expects there. */
  codeHashes: z.record(z.string(), hex32Schema),
  /** Block of the front's deployment. */
  deployedAt: z.int().nonnegative(),
});
export type AddressEntry = z.infer<typeof entrySchema>;

export const addressesSchema = z.record(
  z.string().regex(/^\d+$/),
  z.partialRecord(circuitIdSchema, entrySchema),
);
/** The deployments by chain ID and circuit. */
export type Addresses = z.infer<typeof addressesSchema>;

/** Reads an address file; empty if it does not exist. @throws DeployError when it is not an address file */
export async function readAddresses(file: string): Promise<Addresses> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "{}";
    throw error;
  });
  try {
    return addressesSchema.parse(JSON.parse(text));
  } catch {
    throw new DeployError(`${file} is not an address file; nothing was sent`);
  }
}

/** Adds an entry to the file. Reads it again first, because another run may have written to it. */
export async function writeAddress(
  file: string,
  { chainId, circuit }: { chainId: number; circuit: z.infer<typeof circuitIdSchema> },
  entry: AddressEntry,
): Promise<void> {
  const addresses = await readAddresses(file);
  addresses[chainId] = { ...addresses[chainId], [circuit]: entrySchema.parse(entry) };
  // Renaming is atomic: a kill leaves the old file or the new one.
  await writeFile(`${file}.new`, `${JSON.stringify(addresses, null, 2)}\n`);
  await rename(`${file}.new`, file);
}
