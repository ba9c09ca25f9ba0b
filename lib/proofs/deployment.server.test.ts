import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { testDeployment } from "@/lib/testing/deployment";
import { deploymentSchema, publicDeployment } from "./deployment";
import { checkDeployment, deploymentPath, loadDeployment, parseDeployment } from "./deployment.server";

const deployment = testDeployment();
let folder: string | undefined;
afterEach(async () => {
  vi.unstubAllEnvs();
  if (folder) await rm(folder, { recursive: true, force: true });
});

describe("PARLEY_DEPLOYMENT", () => {
  it("is the path of the description", async () => {
    folder = await mkdtemp(path.join(tmpdir(), "parley-deployment-"));
    const file = path.join(folder, "d.json");
    await writeFile(file, JSON.stringify(deployment));
    vi.stubEnv("PARLEY_DEPLOYMENT", file);
    expect(loadDeployment()).toEqual(deployment);
    expect(deploymentPath()).toBe(file);
  });

  it("is the description itself if it begins with a brace", () => {
    const scope = "of-the-text";
    vi.stubEnv("PARLEY_DEPLOYMENT", `\n ${JSON.stringify({ ...deployment, scope }, null, 1)}`);
    expect(loadDeployment()).toEqual({ ...deployment, scope });
    expect(deploymentPath()).toBeNull();
  });

  it("has its problems named, whichever it is", () => {
    expect(checkDeployment({ PARLEY_DEPLOYMENT: "/nowhere/d.json" }).problems).toEqual([
      "the deployment description /nowhere/d.json cannot be read (PARLEY_DEPLOYMENT)",
    ]);
    expect(checkDeployment({ PARLEY_DEPLOYMENT: "{" }).problems).toEqual(["PARLEY_DEPLOYMENT is not JSON"]);
    const text = JSON.stringify({ ...deployment, scope: "", chains: [] });
    expect(checkDeployment({ PARLEY_DEPLOYMENT: text }).problems).toEqual([
      expect.stringContaining("PARLEY_DEPLOYMENT: scope: "),
      expect.stringContaining("PARLEY_DEPLOYMENT: chains: "),
    ]);
  });
});

it("what is published of a description has no endpoint of the servers", () => {
  const own = "http://node.internal/key";
  const [chain] = deployment.chains;
  if (!chain) expect.fail("no chain");
  const verificationRpcUrl = `${own}/verify`;
  const publicRpcUrl = "https://public.example/";
  const published = publicDeployment({
    ...deployment,
    chains: [{ ...chain, rpcUrl: own, rpcUrls: [own], verificationRpcUrl, publicRpcUrl }],
    services: { ...deployment.services, facilitatorUrl: own, gatewayUrl: own },
  });
  expect(JSON.stringify(published)).not.toContain("node.internal");
  const { issuers, offers, verifiers } = deployment;
  expect(deploymentSchema.parse(published)).toMatchObject({ issuers, offers, verifiers });
  expect(published.chains).toMatchObject([{ id: chain.id, rpcUrl: publicRpcUrl, publicRpcUrl }]);
});

it("a description with placeholders is refused, and what belongs there is said", () => {
  const services = { ...deployment.services, appUrl: "REPLACE: your address" };
  const text = JSON.stringify({
    ...deployment,
    services,
    recordBoard: { chainId: "REPLACE: a number", address: 1 },
  });
  expect(parseDeployment(text, "d.json")).toEqual({
    problems: [
      "d.json: recordBoard.chainId: is a placeholder for a number",
      // zod takes this one for a URL with the scheme "replace".
      "d.json: services.appUrl: is a placeholder for your address",
      "d.json: recordBoard.address: must be an address",
    ],
  });
});
