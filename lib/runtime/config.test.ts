import path from "node:path";
import { describe, expect, it } from "vitest";
import webPush from "web-push";
import { SettingsError } from "@/lib/settings/read";
import { checkInstallation, readConfig } from "./config";

const secrets = { SESSION_SECRET: "s".repeat(32), USER_ID_SECRET: "u".repeat(32) };

describe("keys of push messages", () => {
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  const all = {
    VAPID_PUBLIC_KEY: publicKey,
    VAPID_PRIVATE_KEY: privateKey,
    VAPID_SUBJECT: "mailto:me@example.org",
  };

  it("are all of them or none", () => {
    expect(readConfig(secrets).pushKeys).toBeNull();
    const subject = all.VAPID_SUBJECT;
    expect(readConfig({ ...secrets, ...all }).pushKeys).toEqual({ publicKey, privateKey, subject });
    for (const name of ["VAPID_PUBLIC_KEY", "VAPID_PRIVATE_KEY", "VAPID_SUBJECT"]) {
      expect(() => readConfig({ ...secrets, ...all, [name]: "" })).toThrow(/or none of them/);
    }
  });

  it.each([
    [{ VAPID_PRIVATE_KEY: "c2hvcnQ" }, /^VAPID_PRIVATE_KEY must be/],
    [{ VAPID_PUBLIC_KEY: webPush.generateVAPIDKeys().publicKey }, /^VAPID_PUBLIC_KEY must be/],
    [{ VAPID_SUBJECT: "http://example.org" }, /^VAPID_SUBJECT must be/],
    [{ VAPID_SUBJECT: "me@example.org" }, /^VAPID_SUBJECT must be/],
  ])("stop the start when one is wrong, and are not repeated: %o", (change, message) => {
    const broken = () => readConfig({ ...secrets, ...all, ...change });
    expect(broken).toThrow(SettingsError);
    expect(broken).toThrow(message);
    expect(broken).not.toThrow(privateKey);
  });

  it("come from the file of a development installation, unless the environment names some", () => {
    const file = () => ({ ...secrets, ...all });
    expect(readConfig({}, file).pushKeys?.publicKey).toBe(publicKey);
    expect(() => readConfig({ VAPID_SUBJECT: "mailto:me@example.org" }, file)).toThrow(/or none of them/);
  });
});

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
    expect(broken).toThrow(SettingsError);
    expect(broken).toThrow(/^STORAGE_URL must be disk or s3/);
    expect(broken).not.toThrow("hush");
  });
});

describe("RECORD_KEY", () => {
  it("is a private key, or left out", () => {
    const key = `0x${"07".repeat(32)}`;
    expect(readConfig({ ...secrets, RECORD_KEY: key }).recordKey).toBe(key);
    expect(readConfig(secrets).recordKey).toBeUndefined();
  });

  it("stops the start when it is none, and is not repeated", () => {
    const broken = () => readConfig({ ...secrets, RECORD_KEY: "0xhush" });
    expect(broken).toThrow(/^RECORD_KEY must be a private key/);
    expect(broken).not.toThrow("hush");
  });
});

describe("SESSION_SECRET_PREVIOUS", () => {
  it("is accepted after SESSION_SECRET, and differs from USER_ID_SECRET in production", () => {
    const bytes = (text: string) => new TextEncoder().encode(text);
    const previous = "p".repeat(32);
    expect(readConfig({ ...secrets, SESSION_SECRET_PREVIOUS: previous }).sessionSecrets).toEqual([
      bytes(secrets.SESSION_SECRET),
      bytes(previous),
    ]);
    const same = { ...secrets, PARLEY_MODE: "production", SESSION_SECRET_PREVIOUS: secrets.USER_ID_SECRET };
    const { problems } = checkInstallation(same, { problems: [] });
    expect(problems).toContain("SESSION_SECRET_PREVIOUS and USER_ID_SECRET must differ");
  });
});

describe("a remote signer of records", () => {
  const address = "0x00000000000000000000000000000000000000AA";
  const signer = { RECORD_SIGNER_URL: "https://signer.example", RECORD_SIGNER_ADDRESS: address };

  it("takes the place of RECORD_KEY", () => {
    const env = { ...secrets, ...signer, RECORD_SIGNER_TOKEN: "t" };
    expect(readConfig(env).recordKey).toEqual({ url: signer.RECORD_SIGNER_URL, address, token: "t" });
    const both = () => readConfig({ ...env, RECORD_KEY: `0x${"07".repeat(32)}` });
    expect(both).toThrow("RECORD_KEY and RECORD_SIGNER_URL are both set; set one of them");
  });
});
