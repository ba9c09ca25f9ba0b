/** Optional packages that bundled packages try to load. */
export const optionalPackages = [
  "@node-rs/xxhash",
  "bufferutil",
  // Of siwe, which takes viem.
  "ethers",
  "msgpackr-extract",
  "pg-native",
  "utf-8-validate",
] as const;

/** Goes before a bundle: CommonJS packages load Node's modules with it. */
export const requireBanner =
  'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);';
