import path from "node:path";
import { describe, expect, it } from "vitest";
import { ConfigError, readConfig } from "./config";

const secrets = { SESSION_SECRET: "s".repeat(32), USER_ID_SECRET: "u".repeat(32) };

describe("settings of storage", () => {
  it("are a folder of the installation unless a bucket is named", () => {
    expect(readConfig(secrets)).toMatchObject({
      storageUrl: "disk",
      uploadsFolder: path.resolve(".parley/uploads"),
    });
    const storageUrl = "s3+https://id:hush@host.example/bucket";
    const config = readConfig({ ...secrets, STORAGE_URL: storageUrl, PARLEY_HOME: "/srv/parley" });
    expect(config).toMatchObject({ storageUrl, uploadsFolder: "/srv/parley/uploads" });
  });

  it("stop the start when they name nothing, and their secret is not repeated", () => {
    const broken = () => readConfig({ ...secrets, STORAGE_URL: "s3+https://id:hush@host.example/" });
    expect(broken).toThrow(ConfigError);
    expect(broken).toThrow(/^STORAGE_URL must be disk or s3/);
    expect(broken).not.toThrow("hush");
  });
});
