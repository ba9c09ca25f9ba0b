import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { wordsIn } from "@/lib/i18n/catalogues";

const english = wordsIn("en");
const korean = wordsIn("ko");

/** What a call that the API refuses with this body throws, for a reader of a page in this language. */
async function refused(lang: string, status: number, body: unknown) {
  vi.stubGlobal("document", { documentElement: { lang } });
  vi.stubGlobal("fetch", async () => Response.json(body, { status }));
  const { api, contract, sentence } = await import("./api");
  const error: unknown = await api
    .call(contract.topics.get, { topicId: crypto.randomUUID() })
    .catch((e) => e);
  return { error, sentence };
}

describe("sentence", () => {
  beforeEach(() => vi.resetModules());
  afterEach(() => vi.unstubAllGlobals());

  it("tells a refusal by its code in the reader's language, in English as the server does", async () => {
    const body = { error: "Topic not found.", code: "topic_not_found", requestId: "r" };
    const inKorean = await refused("ko", 404, body);
    expect(inKorean.sentence(korean, inKorean.error)).toBe("그런 토픽이 없어요.");
    expect(inKorean.sentence(english, inKorean.error)).toBe(body.error);
  });

  it("leaves rules of fields to the server, and knows answers without a code", async () => {
    const rule = { error: "title must be shorter.", code: "invalid_request", requestId: "r", field: "title" };
    const field = await refused("ko", 400, rule);
    expect(field.sentence(korean, field.error)).toBe(rule.error);
    const gateway = await refused("ko", 502, "bad gateway");
    expect(gateway.sentence(korean, gateway.error)).toMatch(/^서버가 오류로/);
  });

  it("says whether it is the reader's network that is away", async () => {
    const { sentence } = await import("./api");
    const { ApiError } = await import("@/lib/client");
    const silent = new ApiError(0, null, "");
    vi.stubGlobal("navigator", { onLine: true });
    expect(sentence(korean, silent)).toBe(korean.t("problems.network"));
    vi.stubGlobal("navigator", { onLine: false });
    expect(sentence(korean, silent)).toBe(korean.t("offline.nothingChanged"));
  });
});
