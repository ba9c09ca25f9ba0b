import path from "node:path";

/** Folder of the first 32,769 points of the real ceremony, for circuits of up to 32,768 gates. */
export const CEREMONY_CRS = path.resolve(import.meta.dirname, "../crs");
