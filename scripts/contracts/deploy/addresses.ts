import { readFile, rename, writeFile } from "node:fs/promises";
import { z } from "zod";
import { circuitIdSchema } from "@/lib/proofs/deployment";
import { addressSchema, hex32Schema } from "@/lib/proofs/hex";
import { DeployError } from "./options";

const entrySchema = z.strictObject({
  /** The address proofs are verified at. */
  front: addressSchema,
  /** The generated verifier behind it. */
  verifier: addressSchema,
  /** Libraries the verifier is linked to. */
  libraries: z.record(z.string(), addressSchema),
  /** The circuit's verification key. */
  vkHash: hex32Schema,
  /** Points the verification key was made from: as many as the circuit needs. */
  srsDigest: hex32Schema,
  /** Anybody can forge proofs for a verifier on development setup data. */
  srsKind: z.enum(["ignition", "development"]),
  /** Block of the front's deployment. */
  deployedAt: z.int().nonnegative(),
});
export type AddressEntry = z.infer<typeof entrySchema>;

const addressesSchema = z.record(z.string().regex(/^\d+$/), z.partialRecord(circuitIdSchema, entrySchema));
/** Chain id -> circuit -> what stands there. */
export type Addresses = z.infer<typeof addressesSchema>;

/** Reads an address file; one that is not there is empty. @throws DeployError when it is not an address file */
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

/** Puts one entry into the file, read anew: another run may have written meanwhile. */
export async function writeAddress(
  file: string,
  { chainId, circuit }: { chainId: number; circuit: z.infer<typeof circuitIdSchema> },
  entry: AddressEntry,
): Promise<void> {
  const addresses = await readAddresses(file);
  addresses[chainId] = { ...addresses[chainId], [circuit]: entrySchema.parse(entry) };
  // In one step, so that a kill leaves the old file or the new one.
  await writeFile(`${file}.new`, `${JSON.stringify(addresses, null, 2)}\n`);
  await rename(`${file}.new`, file);
}
