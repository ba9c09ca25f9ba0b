import { expect, it } from "vitest";
import { replaceImages } from "./images";

it("gives images their new address and keeps what else the sanitiser keeps of them", async () => {
  const write = await replaceImages(
    '<p>a</p><img class="x" src="old" alt="" width="4" height="3"><img src=\'old\' alt="A &quot;b&quot;"><img src="other" alt="o">',
    (source) => (source === "old" ? ([address]) => address ?? "" : null),
  );
  expect(write(["/uploads/new.png"])).toBe(
    '<p>a</p><img src="/uploads/new.png" alt="" width="4" height="3"><img src="/uploads/new.png" alt="A &quot;b&quot;"><img src="other" alt="o">',
  );
});
