import { type CompiledCircuit, type InputMap, Noir } from "@noir-lang/noir_js";
import { EVM_SETTINGS } from "../artifact";
import { fromBase64, gunzip } from "../packed";
import { MembershipVerifier, type VerifierParts } from "./verifier";

const NAME = "anonymous_membership";

/** What an engine works with. */
interface EngineParts extends VerifierParts {
  readonly circuit: CompiledCircuit;
  /** The first of the ceremony: `MEMBERSHIP_PREFIX`. */
  readonly points: Uint8Array;
}

/** Makes proofs of anonymous_membership as well as checking them. */
export class MembershipEngine extends MembershipVerifier<EngineParts> {
  #program: Promise<Uint8Array> | undefined;

  /** Starts Barretenberg, so that the first proof need not wait for it. */
  prepare(): Promise<void> {
    return this.on(async () => undefined);
  }

  /**
   * Makes a proof. @param inputs see `circuitInputs`
   * @throws Error when they do not satisfy the circuit; its message does not quote them
   */
  prove(inputs: InputMap): Promise<Uint8Array> {
    return this.on(async (api) => {
      const { circuit, verificationKey } = this.parts;
      this.#program ??= gunzip(fromBase64(circuit.bytecode));
      const witness = await solve(circuit, inputs);
      const { proof } = await api.circuitProve({
        circuit: { name: NAME, bytecode: await this.#program, verificationKey },
        witness: await gunzip(witness),
        settings: EVM_SETTINGS,
      });
      return joined(proof);
    });
  }
}

/** Returns the witness, gzipped. noir_js's own message would quote the inputs. */
async function solve(circuit: CompiledCircuit, inputs: InputMap): Promise<Uint8Array> {
  try {
    return (await new Noir(circuit).execute(inputs)).witness;
  } catch {
    throw new Error("the inputs do not satisfy the circuit");
  }
}

function joined(words: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(32 * words.length);
  words.forEach((word, i) => {
    bytes.set(word, 32 * i);
  });
  return bytes;
}
