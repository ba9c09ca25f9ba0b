import { doctor } from "../doctor/main";

/** `npm run doctor`. */
process.exitCode = await doctor(process.argv.slice(3));
