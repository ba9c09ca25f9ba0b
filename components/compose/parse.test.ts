import { expect, it } from "vitest";
import { linkAddress } from "./parse";

it.each([
  ["https://example.com/a?b=1", "https://example.com/a?b=1"],
  [" example.com/page ", "https://example.com/page"],
  ["example.com:8080/page", "https://example.com:8080/page"],
  ["http://localhost:3000/", "http://localhost:3000/"],
  ["ada@example.com", "mailto:ada@example.com"],
  ["mailto:ada@example.com", "mailto:ada@example.com"],
  ["예시.한국", "https://xn--vv4b11d.xn--3e0b707e/"],
])("%s leads to %s", (text, href) => expect(linkAddress(text)).toBe(href));

it.each([
  "",
  "word",
  "two words.com",
  "javascript:alert(1)",
  "data:text/html,x",
  "ftp://a.example/",
  "https://",
])("%j leads nowhere", (text) => expect(linkAddress(text)).toBeNull());
