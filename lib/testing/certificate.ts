import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Makes a certificate of a host that signs itself and is good for a day.
 * @returns the PEM files of certificate and key, in this folder
 * @throws Error when the machine has no `openssl`
 */
export async function selfSigned(
  folder: string,
  host: string,
): Promise<{ readonly certificate: string; readonly key: string }> {
  const [certificate, key] = [path.join(folder, "certificate.pem"), path.join(folder, "key.pem")];
  const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1"];
  await run("openssl", ["req", ...kind, "-subj", `/CN=${host}`, "-keyout", key, "-out", certificate]);
  return { certificate, key };
}
