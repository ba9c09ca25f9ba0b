import { readFile, writeFile } from "node:fs/promises";
import type { Address } from "viem";
import { z } from "zod";
import type { LocalChain } from "@/contracts/local-chain";
import { parseJson } from "@/lib/json";
import { addressSchema } from "@/lib/proofs/hex";

const bookSchema = z.record(
  z.string(),
  z.object({
    address: addressSchema,
    /** Identifies the deployed code: another fingerprint means deploying again. */
    fingerprint: z.string(),
  }),
);

/**
 * The addresses of the contracts on the local chains, saved in a file so that a restart deploys nothing.
 * The chain has the last word: an entry without code at its address counts as absent.
 */
export class ContractBook {
  readonly #file: string;
  readonly #entries: z.infer<typeof bookSchema>;

  private constructor(file: string, entries: z.infer<typeof bookSchema>) {
    this.#file = file;
    this.#entries = entries;
  }

  static async open(file: string): Promise<ContractBook> {
    const text = await readFile(file, "utf8").catch(() => null);
    const parsed = bookSchema.safeParse(text === null ? {} : (parseJson(text) ?? {}));
    return new ContractBook(file, parsed.success ? parsed.data : {});
  }

  /**
   * Returns the address of a contract, and deploys it first if it is absent or another version.
   * @param name unique per chain, e.g. `DevelopmentDollar`
   * @param fingerprint changes whenever the deployed code would
   */
  async ensure(
    chain: Pick<LocalChain, "id" | "client">,
    where: { name: string; fingerprint: string },
    deploy: () => Promise<Address>,
  ): Promise<{ address: Address; deployed: boolean }> {
    const key = `${chain.id}/${where.name}`;
    const known = this.#entries[key];
    if (
      known?.fingerprint === where.fingerprint &&
      (await chain.client.getCode({ address: known.address }))
    ) {
      return { address: known.address, deployed: false };
    }
    const address = await deploy();
    this.#entries[key] = { address, fingerprint: where.fingerprint };
    await writeFile(this.#file, JSON.stringify(this.#entries, null, 2));
    return { address, deployed: true };
  }
}
