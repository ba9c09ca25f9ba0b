import { restoreCommand } from "../backup/main";

/** `npm run restore`. */
process.exitCode = await restoreCommand(process.argv.slice(3));
