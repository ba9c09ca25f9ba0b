/** TypeScript's JavaScript API, which version 7 does not have, as the generators import it. */
export { ts as default } from "@ts-morph/common";
