/** The entry: what tests, vectors and tools outside of this package use. The program is `cli.ts`. */
export { flatNames, type Inputs, type Value } from "./abi";
export * as anonymous from "./anonymous/index";
export { bytes32, flipped, Maker, numberOf } from "./attested/make";
export { withByte, withField } from "./attested/rlp";
export * from "./attested/witness";
export type { Case } from "./case";
export { Circuit } from "./circuit";
export { metAssertions } from "./groups/named";
export * as oidc from "./oidc/make";
export { CLIENT, ISSUER_SEED, payloadA, payloadB, primesOf, signToken, type Token } from "./oidc/token";
export { limbs, nullifierOf, witnessOf } from "./oidc/witness";
export { suiteOf } from "./suites";
