import { expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness } from "@/lib/testing/harness";

it("smoke", async () => {
  const h = await createHarness();
  const a = await h.login("ada");
  expect(await a.api.call(contract.auth.session, {})).toMatchObject({ nickname: "ada" });
  expect(await h.send("GET", "/api/nowhere")).toMatchObject({ status: 404 });
  expect((await h.send("DELETE", "/api/auth/logout")).body).toMatchObject({ code: "method_not_allowed" });
  await h.close();
});
