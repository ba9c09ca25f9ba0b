import { register } from "node:module";

/** Gives the generators the JavaScript API of TypeScript that they were written for. */
const api = new URL("./typescript-api.mjs", import.meta.url).href;
const hooks = `export const resolve = (name, context, next) => next(name === "typescript" ? ${JSON.stringify(api)} : name, context);`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
