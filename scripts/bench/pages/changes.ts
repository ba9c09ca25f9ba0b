import { setTimeout as sleep } from "node:timers/promises";
import type { AppProcess } from "../../live/app-process";
import type { Seed } from "../api/seed";
import { membersOf } from "../api/seed";
import type { Row } from "../row";

const TIMES = 10;
const MAX_MS = 1_000;
/** Between two looks at a page. */
const POLL_MS = 10;
const GIVE_UP_MS = 30_000;

/**
 * Measures how long a guest of one process does not see what another process wrote.
 * @param writer another process on the same database
 */
export async function changeRows(seed: Seed, writer: AppProcess, reader: AppProcess): Promise<Row[]> {
  const topicId = seed.topics[1];
  const postId = seed.posts.find(({ topic }) => topic === 1)?.id;
  const post = `/api/topics/${topicId}/posts`;
  const title = (text: string) => ({ title: text, content: "<p>For everybody.</p>" });
  const places = [
    { name: "a post on its topic's page", page: `/topics/${topicId}?sort=new`, path: post, body: title },
    { name: "a post on the latest of the home page", page: "/?sort=new", path: post, body: title },
    {
      name: "a comment on its post's page",
      page: `/posts/${postId}`,
      path: `/api/posts/${postId}/comments`,
      body: (text: string) => ({ content: text }),
    },
  ];
  const token = seed.members[membersOf(1)[1] ?? 0]?.token;
  const rows: Row[] = [];
  for (const { name, page, path, body } of places) {
    let longest = 0;
    for (let i = 0; i < TIMES; i += 1) {
      const text = `Written as number ${i} of ${TIMES} on ${page}`;
      // The page is in memory.
      await read(reader, page);
      const response = await fetch(writer.url + path, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(body(text)),
      });
      if (response.status !== 201) throw new Error(`${path} got status ${response.status}`);
      longest = Math.max(longest, await shownAfter(reader, page, text));
    }
    rows.push({
      name: `${name} is seen by a guest of another process, longest of ${TIMES}`,
      value: longest,
      unit: "ms",
      limit: { most: MAX_MS },
    });
  }
  return rows;
}

async function read(app: AppProcess, page: string): Promise<string> {
  return await (await fetch(app.url + page)).text();
}

/** Returns the milliseconds until a page has a text. */
async function shownAfter(app: AppProcess, page: string, text: string): Promise<number> {
  const started = performance.now();
  while (!(await read(app, page)).includes(text)) {
    if (performance.now() - started > GIVE_UP_MS) throw new Error(`${page} never shows "${text}"`);
    await sleep(POLL_MS);
  }
  return performance.now() - started;
}
