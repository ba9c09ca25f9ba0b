/** How inputs reach this prover: in clear over HTTPS, or encrypted to its key. */
export interface InputOpener {
  /** X25519 public key in base64url, shown as `teePublicKey`; null while plaintext is taken. */
  readonly publicKey: string | null;
  /**
   * The inputs of a request in clear.
   * @throws Refusal 400 INVALID_INPUTS: `encryption_required` for plaintext where a key is configured,
   *   `encryption_unavailable` for ciphertext where none is, `decryption_failed`
   */
  open(circuit: string, inputs: Record<string, unknown>): Promise<Record<string, unknown>>;
}

/** Takes inputs in clear. */
export const plainInputs: InputOpener = {
  publicKey: null,
  open: async (_circuit, inputs) => inputs,
};
