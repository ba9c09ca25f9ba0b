import path from "node:path";
import { attestedCircuits, attestersOf } from "@/lib/proofs/trust/attesters";
import { CIRCUITS_DIR } from "./paths";

/** The set of attesters compiled into a circuit; see lib/proofs/trust/attesters.ts. */
export type Build = "production" | "development";

/** Path of the Noir file with the attesters' constants, relative to the workspace. */
export const CONSTANTS_NAME = "lib/attester_config/src/constants.nr";
export const CONSTANTS_FILE = path.join(CIRCUITS_DIR, CONSTANTS_NAME);

/** Formats a Noir array, in rows of 16 bytes if it is longer. */
function byteArray(hex: string): string {
  const bytes = (hex.slice(2).toLowerCase().match(/../g) ?? []).map((byte) => `0x${byte}`);
  if (bytes.length <= 16) return `[${bytes.join(", ")}]`;
  const rows = bytes.flatMap((_, i) => (i % 16 ? [] : [`        ${bytes.slice(i, i + 16).join(", ")},\n`]));
  return `[\n${rows.join("")}    ]`;
}

/** Returns the Noir file with the constants of one build, from the JSON that the rest of the application reads. */
export function constantsSource(build: Build): string {
  const attesters = attestersOf(build);
  const constants = attestedCircuits.map((circuit) => {
    const { chainId, contract, selector } = attesters[circuit];
    return [
      `pub global ${circuit.toUpperCase()}: Attester = Attester {`,
      `    chain_id: ${chainId},`,
      `    address: ${byteArray(contract)},`,
      `    selector: ${byteArray(selector)},`,
      "};",
    ].join("\n");
  });
  return [
    `// Written by npm run circuits:build from lib/proofs/trust/attesters.${build}.json: change that file.`,
    "",
    "use crate::Attester;",
    "",
    constants.join("\n\n"),
    "",
  ].join("\n");
}
