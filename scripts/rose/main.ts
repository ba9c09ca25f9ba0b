import { text } from "node:stream/consumers";
import { runRose } from "./run";

process.exitCode = await runRose(process.argv.slice(2), {
  input: () => text(process.stdin),
  print: console.log,
  complain: console.error,
  fetch,
});
