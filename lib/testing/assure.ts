import { testSettings } from "@/lib/settings/tools";

/**
 * Whether this is `npm run assure`: the numbers of design/assurance.md in full. `npm test` runs a short form of what
 * takes long.
 */
export const assure = testSettings().ASSURE;

/** The full number under `npm run assure`, else the short one. */
export function fullOrShort(full: number, short: number): number {
  return assure ? full : short;
}
