import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeProver } from "../testing/prover";
import { countingWallet, purchase, requestTo, resultFor } from "../testing/purchase";
import { fakeLocks, fakeStorage } from "../testing/storage";
import { buyProof, resumeProof } from "./buy";
import { localStorageStore } from "./stores";

let setting: Awaited<ReturnType<typeof purchase>>;
let prover: FakeProver;
let wallet: ReturnType<typeof countingWallet>;
let storage: Storage;
beforeAll(async () => {
  setting = await purchase();
});
beforeEach(() => {
  prover = new FakeProver(resultFor(setting.facts));
  wallet = countingWallet();
  storage = fakeStorage();
});
afterEach(() => vi.unstubAllGlobals());

/** Every call is another tab: its own store over the one storage of the site. */
const tab = () =>
  requestTo(prover, { inputs: setting.inputs, wallet, store: localStorageStore(() => storage) });
const sent = () => new Set(prover.paid.map(({ headers }) => headers.get("payment-signature")));

describe("one job in several tabs", () => {
  it("is signed once and paid once", async () => {
    vi.stubGlobal("navigator", { locks: fakeLocks() });
    const results = await Promise.all([buyProof(tab()), buyProof(tab()), buyProof(tab())]);
    expect(results.map(({ proof }) => proof)).toEqual(["0x1234", "0x1234", "0x1234"]);
    expect(wallet.signed).toHaveLength(1);
    expect(sent().size).toBe(1);
    expect(prover.charged).toBe(1);
  });

  it("is paid with the payment that was stored first where tabs cannot lock each other out", async () => {
    vi.stubGlobal("navigator", {});
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = {
      ...wallet,
      signTypedData: (data: Parameters<typeof wallet.signTypedData>[0]) =>
        held.then(() => wallet.signTypedData(data)),
    };
    const late = buyProof({ ...tab(), wallet: slow });
    await vi.waitFor(() => expect(prover.seen).toHaveLength(1));
    await buyProof(tab());
    release();
    expect((await late).proof).toBe("0x1234");
    expect(sent().size).toBe(1);
    expect(prover.charged).toBe(1);
  });

  it("goes on in a new tab that has neither inputs nor wallet, after the first was closed", async () => {
    const first = new AbortController();
    const dying: typeof fetch = (input, init) => {
      if (String(input).includes("/jobs/")) first.abort(new Error("tab closed"));
      return prover.fetch(input, init);
    };
    await expect(buyProof({ ...tab(), fetch: dying, signal: first.signal })).rejects.toThrow("tab closed");
    const { inputs: _inputs, wallet: _wallet, ...rest } = tab();
    expect((await resumeProof(rest)).proof).toBe("0x1234");
    expect(wallet.signed).toHaveLength(1);
  });
});
