import type { PostMedia } from "@/db/schema/community";

export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

export interface PostRow {
  readonly id: string;
  readonly topicTitle: string | null;
  readonly title: string;
  readonly content: string;
  readonly media: PostMedia;
  readonly poll: Poll | null;
  readonly tags: readonly string[];
  readonly createdAt: Date;
}

interface Poll {
  readonly question: string | null;
  readonly options: readonly { readonly text: string; readonly votes: number }[];
}

/** Returns a post to read. Markdown may contain HTML, so its text stays exactly as it is stored. */
export function postMarkdown({ title, topicTitle, content, media, poll, tags, createdAt }: PostRow): string {
  const facts = [`- Written: ${createdAt.toISOString()}`];
  if (topicTitle !== null) facts.unshift(`- Topic: ${line(topicTitle)}`);
  if (tags.length > 0) facts.push(`- Tags: ${tags.map(line).join(", ")}`);
  const attached = [...media.images, ...media.videos].map((url) => `- <${url}>`);
  const parts = [`# ${line(title)}`, facts.join("\n"), content];
  if (poll) parts.push(pollMarkdown(poll));
  if (attached.length > 0) parts.push(attached.join("\n"));
  return `${parts.join("\n\n")}\n`;
}

function pollMarkdown({ question, options }: Poll): string {
  const answers = options.map(({ text, votes }) => `- ${line(text)}: ${votes}`).join("\n");
  return `## ${line(question ?? "Poll")}\n\n${answers}`;
}

/** How rows of plain text become Markdown. */
export interface Reading {
  readonly title: string;
  /** Column with the text. */
  readonly text: string;
  /** Columns with the ids of what it answers and where it is, and what to call them. */
  readonly places: Readonly<Record<string, string>>;
}

/** Returns comments or messages to read, each under its time, as quotes: no character of theirs is markup. */
export function saidMarkdown(
  { title, text, places }: Reading,
  rows: readonly Readonly<Record<string, unknown>>[],
): string {
  const said = rows.map((row) => {
    const at = row.createdAt instanceof Date ? row.createdAt.toISOString() : String(row.createdAt);
    const where = Object.entries(places).flatMap(([column, name]) =>
      row[column] ? [`${name} ${String(row[column])}`] : [],
    );
    const quoted = String(row[text])
      .split(/\r?\n/)
      .map((one) => `> ${line(one)}`);
    return `## ${at}\n\n${where.join(", ")}\n\n${quoted.join("\n")}`;
  });
  return `${[`# ${title}`, ...said].join("\n\n")}\n`;
}

/** Returns text as one line in which no character is markup. */
function line(text: string): string {
  return text.replace(/\s+/gu, " ").replace(/[\\`*_[\]<>#]/gu, (character) => `\\${character}`);
}

/** Returns the page that says what is in an export, and what is not. */
export function readme(now: Date): string {
  return `# Your data

Collected ${now.toISOString()}.

- \`account.json\`: your account, memberships, what you proved in the last 30 days and when, badges, settings, blocks,
  whom you follow, sessions, and what your tokens for automation may do;
  webhooks you answer for, and apps you registered.
- \`posts/\`: each of your posts as JSON, and as Markdown to read.
- \`comments-1.json\`, \`chat-messages-1.json\` and so on: what you wrote, also as Markdown to read. What others wrote is
  named by its id only.
- \`votes-1.json\`, \`reports-1.json\`, \`sanctions-1.json\` and so on: what you did and read, and what was decided about you. A list
  without entries has no file.
- \`files/\`: the pictures that you uploaded.

Not in this archive:

- What you deleted: it no longer exists.
- Your proofs themselves: the server checks them and keeps only what they showed, for 30 days.
- Your payments for proofs: only your browser, your wallet and the chain know them.
- Tokens and keys of your sessions, programs, push devices and invites: who has them is signed in, or gets in.
- Who reported or blocked you, and what staff noted about you: that is theirs.
- Pictures of posts that staff hid, which nobody can get.

## 한국어

- \`account.json\`: 계정, 가입한 토픽, 지난 30일 동안 증명한 것, 배지, 설정, 차단, 팔로우, 세션.
- \`posts/\`: 내 글. JSON과, 읽기 위한 Markdown.
- \`comments-1.json\`, \`chat-messages-1.json\` 등: 내가 쓴 것. Markdown도 있어요. 다른 사람이 쓴 것은 아이디로만 나와요.
- \`votes-1.json\`, \`reports-1.json\`, \`sanctions-1.json\` 등: 내가 한 일과 나에 대해 결정된 것. 비어 있으면 파일이 없어요.
- \`files/\`: 내가 올린 사진.

없는 것: 삭제한 것, 증명 자체(서버는 확인만 하고, 드러난 사실만 30일 동안 보관해요), 증명 비용의 결제(브라우저와 지갑, 체인만 알아요),
세션과 초대의 토큰과 키, 누가 나를 신고하거나 차단했는지와 운영진의 메모, 운영진이 숨긴 글의 사진.
`;
}
