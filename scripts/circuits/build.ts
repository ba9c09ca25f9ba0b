/**
 * `npm run circuits:build`: writes the attesters' constants, compiles every circuit to `circuits/artifacts`, and creates
 * the verification keys and verifiers for the setup data in use (cached outside the repository: they depend on the
 * machine). `npm run circuits:build -- --no-keys` leaves out keys and verifiers.
 */
import fs from "node:fs";
import path from "node:path";
import { consoleReporter } from "../stack/progress";
import { ensureProvingKeys } from "../stack/verifiers";
import { builtFiles } from "./builds";
import { CONSTANTS_FILE, constantsSource } from "./constants";
import { ARTIFACTS_DIR } from "./paths";

fs.writeFileSync(CONSTANTS_FILE, constantsSource("production"));
const files = await builtFiles(({ name, gates }) => console.log(`${name}: ${gates} gates`));
fs.mkdirSync(ARTIFACTS_DIR, { recursive: true });
for (const [name, text] of files) fs.writeFileSync(path.join(ARTIFACTS_DIR, name), text);
if (!process.argv.includes("--no-keys")) await ensureProvingKeys(consoleReporter());
