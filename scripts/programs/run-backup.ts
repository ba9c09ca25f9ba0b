import { backupCommand } from "../backup/main";

/** `npm run backup`. */
process.exitCode = await backupCommand(process.argv.slice(3));
