import { describe, expect, it } from "vitest";
import { wordsIn } from "./catalogues";
import { words } from "./english";
import { duration, fileSize, listed, percentage, relativeTime, timeUntil, tokenAmount } from "./time";

const now = new Date("2026-03-10T12:00:00.000Z");
const ago = (ms: number) => relativeTime(words, new Date(now.getTime() - ms), now);

describe("words for moments and amounts", () => {
  it("are relative under a week", () => {
    expect(ago(-5000)).toBe("just now");
    expect(ago(-30 * 86_400_000)).toBe("9 Apr");
    expect(ago(59_000)).toBe("just now");
    expect(ago(5 * 60_000)).toBe("5 min ago");
    expect(ago(3 * 3_600_000)).toBe("3 h ago");
    expect(ago(30 * 3_600_000)).toBe("yesterday");
    expect(ago(6 * 86_400_000)).toBe("6 days ago");
    expect(ago(8 * 86_400_000)).toBe("2 Mar");
    expect(ago(400 * 86_400_000)).toBe("3 Feb 2025");
  });

  it("write token amounts exactly, with two decimals at least", () => {
    expect(tokenAmount(words, "100000", 6)).toBe("0.10");
    expect(tokenAmount(words, "1", 6)).toBe("0.000001");
    expect(tokenAmount(words, "1234500000", 6)).toBe("1,234.50");
  });

  it("say when something ahead happens, and parts of a whole", () => {
    const ahead = (ms: number) => timeUntil(words, new Date(now.getTime() + ms), now);
    expect(ahead(-5)).toBe("in 1 minute");
    expect(ahead(5 * 60_000)).toBe("in 5 minutes");
    expect(ahead(3 * 3_600_000)).toBe("in 3 hours");
    expect(ahead(3 * 86_400_000 - 1000)).toBe("in 3 days");
    expect(ahead(30 * 86_400_000)).toBe("9 Apr");
    expect(percentage(words, 1, 3)).toBe("33%");
    expect(percentage(words, 0, 0)).toBe("0%");
  });

  it("write sizes of files, never as nothing", () => {
    expect(fileSize(words, 1)).toBe("1 kB");
    expect(fileSize(words, 999_000)).toBe("999 kB");
    expect(fileSize(words, 1_240_000)).toBe("1.2 MB");
    expect(fileSize(words, 200_000_000)).toBe("200 MB");
  });

  it("write durations", () => {
    expect(duration(words, 4210)).toBe("4.2 s");
    expect(duration(words, 65_000)).toBe("1 min 05 s");
  });
});

describe("Korean", () => {
  const korean = wordsIn("ko");
  const said = (ms: number) => relativeTime(korean, new Date(now.getTime() - ms), now);

  it("has its own words for moments", () => {
    expect(said(59_000)).toBe("방금");
    expect(said(5 * 60_000)).toBe("5분 전");
    expect(said(30 * 3_600_000)).toBe("어제");
    expect(said(6 * 86_400_000)).toBe("6일 전");
    expect(said(8 * 86_400_000)).toBe("3월 2일");
    expect(said(400 * 86_400_000)).toBe("2025년 2월 3일");
    expect(duration(korean, 65_000)).toBe("1분 05초");
    expect(listed(korean, ["제목", "사진"])).toBe("제목 및 사진");
  });

  it("counts without plurals, in ten thousands", () => {
    expect(korean.t("common.members", { n: 1 })).toBe("멤버 1명");
    expect(korean.t("common.members", { n: 12_000 })).toBe("멤버 1.2만명");
    expect(korean.t("chat.cameIn", { n: 1, names: "mina" })).toBe("mina 님이 들어왔어요");
    expect(korean.t("chat.cameIn", { n: 3, names: "" })).toBe("3명이 들어왔어요");
  });
});
