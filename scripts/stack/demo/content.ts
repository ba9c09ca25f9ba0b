import type { reactionEmojis } from "@/lib/contract/posts";

/**
 * The demo community: four members of three companies, five topics, and their posts. The API creates everything in this
 * order, for members who proved their domain like anyone else.
 */

type ReactionEmoji = (typeof reactionEmojis)[number];
export type PersonaKey = "mina" | "jonas" | "lucia" | "sam";
type TopicKey = "proofs" | "acme" | "ai" | "bread" | "governance";

export interface Persona {
  key: PersonaKey;
  email: string;
  nickname: string;
  showsDomain?: true;
}

export const personas: readonly Persona[] = [
  { key: "mina", email: "mina.park@acme.example", nickname: "mina_park", showsDomain: true },
  { key: "jonas", email: "jonas.weber@acme.example", nickname: "jonas_w" },
  { key: "lucia", email: "lucia.ferrari@northwind.example", nickname: "lucia_f", showsDomain: true },
  { key: "sam", email: "sam.okafor@contoso.example", nickname: "sam_okafor" },
];

export interface DemoTopic {
  key: TopicKey;
  owner: PersonaKey;
  title: string;
  description: string;
  /** Slug of a seeded category. */
  category: string;
  visibility: "public" | "private";
  /** If set, only people of this email domain may join. */
  requiredDomain?: string;
  /** Members besides the owner. They join a private topic by its invite code. */
  members: readonly PersonaKey[];
}

export const topics: readonly DemoTopic[] = [
  {
    key: "proofs",
    owner: "lucia",
    title: "Zero knowledge in practice",
    description: "What we shipped, what broke, what it cost. No token talk.",
    category: "privacy",
    visibility: "public",
    members: ["mina", "jonas", "sam"],
  },
  {
    key: "acme",
    owner: "mina",
    title: "Acme, among ourselves",
    description: "For people with an acme.example address. Nobody here knows which one is yours.",
    category: "general",
    visibility: "public",
    requiredDomain: "acme.example",
    members: ["jonas"],
  },
  {
    key: "ai",
    owner: "sam",
    title: "AI at work, honestly",
    description: "Which tools stayed after the pilot, and which quietly left.",
    category: "ai-ml",
    visibility: "public",
    members: ["lucia", "mina"],
  },
  {
    key: "bread",
    owner: "jonas",
    title: "Slow projects",
    description: "Bread, woodwork, languages: things that take months. A small circle; ask for an invite.",
    category: "general",
    visibility: "private",
    members: ["lucia"],
  },
  {
    key: "governance",
    owner: "lucia",
    title: "Works council reading group",
    description: "One chapter a fortnight on how organisations decide. Next: voting without blocs.",
    category: "governance",
    visibility: "public",
    members: ["sam", "jonas"],
  },
];

export interface DemoPost {
  key: string;
  topic: TopicKey;
  author: PersonaKey;
  title: string;
  /** HTML as the editor produces it. */
  content: string;
  tags: readonly string[];
  votes: Partial<Record<PersonaKey, 1 | -1>>;
  reactions?: Partial<Record<PersonaKey, ReactionEmoji>>;
  poll?: {
    question: string;
    options: readonly string[];
    /** Index of each voter's option. */
    chosen: Partial<Record<PersonaKey, number>>;
  };
  /** `replyTo` is the index of an earlier comment of this post. */
  comments: readonly { author: PersonaKey; text: string; replyTo?: number }[];
}

export const posts: readonly DemoPost[] = [
  {
    key: "gates",
    topic: "proofs",
    author: "lucia",
    title: "We cut our login circuit from 150k to 112k gates. Here is where they went.",
    content:
      "<p>Three changes did most of it:</p><ol><li>Hash the boring front of the token outside the circuit and continue from the intermediate state.</li><li>One lookup table for base64 instead of comparing ranges.</li><li>Show the nonce instead of hashing it again.</li></ol><p>The last one was the cheapest and took us longest to see. A second keccak costs about <strong>17,000 gates</strong>; sixty-four public bytes cost next to nothing.</p>",
    tags: ["circuits", "performance"],
    votes: { mina: 1, jonas: 1, sam: 1 },
    reactions: { mina: "\u{1F525}", jonas: "\u{1F525}", sam: "\u{1F389}" },
    comments: [
      { author: "mina", text: "Did the verifier get more expensive with that many public inputs?" },
      {
        author: "lucia",
        text: "A little: some 60k gas on the calldata. Nobody pays it here, the check is a view call.",
        replyTo: 0,
      },
      { author: "sam", text: "Saving this for the next person who tells me hashing is free." },
    ],
  },
  {
    key: "quote",
    topic: "proofs",
    author: "jonas",
    title: "The bug that let anyone be anyone",
    content:
      '<p>If the length of the email is only a hint, a nonce of <code>"@victim.com"</code> can end up inside your “domain”. The value has to end at the <em>first</em> quote, and the circuit has to say so.</p><p>We found it in our own review. I would like to read more write-ups of bugs like this one, so I am starting.</p>',
    tags: ["security", "circuits"],
    votes: { lucia: 1, mina: 1 },
    comments: [
      { author: "lucia", text: "Thank you for writing it down. We had a test for it the same evening." },
      { author: "mina", text: "How did you notice?" },
      {
        author: "jonas",
        text: "I tried to write the comment explaining why it was safe, and could not.",
        replyTo: 1,
      },
    ],
  },
  {
    key: "badge",
    topic: "proofs",
    author: "sam",
    title: "What do you show when somebody asks “who vouches for you?”",
    content:
      "<p>I keep ending up with three lines: who vouched, for what exactly, and until when. Everything else confuses people. What did you leave out?</p>",
    tags: ["design"],
    votes: { lucia: 1 },
    comments: [{ author: "lucia", text: "We left out the word “cryptographic”. Nobody missed it." }],
  },
  {
    key: "reorg",
    topic: "acme",
    author: "mina",
    title: "The move to the new building: what would you keep?",
    content:
      "<p>Asking here because in the all-hands nobody says it: I would keep the small kitchen on four. Most decisions I remember were made there.</p><p>What would you keep, and what are you glad to leave behind?</p>",
    tags: ["office"],
    votes: { jonas: 1 },
    comments: [
      { author: "jonas", text: "The whiteboard wall. And the silence before nine." },
      { author: "mina", text: "The silence moves with us, I hope.", replyTo: 0 },
    ],
  },
  {
    key: "oncall",
    topic: "acme",
    author: "jonas",
    title: "On-call every third week is too often",
    content:
      "<p>I counted: eleven nights in the last quarter, four of them for alerts that nobody acts on. I would rather we delete those alerts than add people to the rota.</p><ul><li>disk at 80 %</li><li>queue age, twice</li><li>the certificate one</li></ul>",
    tags: ["on-call"],
    votes: { mina: 1 },
    comments: [{ author: "mina", text: "Bring the list on Thursday. I will second it." }],
  },
  {
    key: "pilot",
    topic: "ai",
    author: "sam",
    title: "Six months after the pilot: two of nine tools are left",
    content:
      "<p>The two that stayed do something dull: one drafts release notes from merged changes, one finds the runbook for an alert. The seven that left all promised to “transform” something.</p><blockquote><p>If it needs a launch event, it will not survive the quarter.</p></blockquote>",
    tags: ["tools"],
    votes: { lucia: 1, mina: 1 },
    comments: [
      {
        author: "lucia",
        text: "Same count here, same two kinds. Did anybody measure, or did people just stop?",
      },
      { author: "sam", text: "People just stopped. The licences told us three months later.", replyTo: 0 },
    ],
  },
  {
    key: "review",
    topic: "ai",
    author: "lucia",
    title: "Reviewing generated code takes me longer than writing it",
    content:
      "<p>Not always. But for anything with money or identity in it, I read every line twice, because it looks right in a way that mine never does. How do you decide what to hand over?</p>",
    tags: ["code-review"],
    votes: { sam: 1, mina: -1 },
    comments: [{ author: "mina", text: "I hand over what I would be willing to delete without reading." }],
  },
  {
    key: "rye",
    topic: "bread",
    author: "jonas",
    title: "Rye, week nine: it finally rises",
    content:
      "<p>It was the temperature. 29 °C, not “somewhere warm”. I moved the jar on top of the router and three days later it doubled.</p>",
    tags: ["bread"],
    votes: { lucia: 1 },
    comments: [{ author: "lucia", text: "At last a good use for the router." }],
  },
  {
    key: "blocs",
    topic: "governance",
    author: "lucia",
    title: "Chapter 4: voting without blocs",
    content:
      "<p>The chapter argues that a secret ballot is not enough: people must also be unable to <em>prove</em> how they voted, or blocs form anyway. Two questions to start:</p><ol><li>Where in your organisation can a vote be bought with a favour?</li><li>Would you give up your receipt for that?</li></ol>",
    tags: ["reading"],
    votes: { sam: 1, jonas: 1 },
    poll: {
      question: "Would you give up your receipt?",
      options: ["Yes, gladly", "Only if I can check that it was counted", "No"],
      chosen: { sam: 0, jonas: 1, lucia: 1 },
    },
    comments: [
      { author: "sam", text: "Budget round, every year. And yes, I would give up the receipt." },
      {
        author: "jonas",
        text: "I would want to know that my vote was counted, though. That is a receipt too.",
      },
      { author: "lucia", text: "That is chapter 6. Counted, but not shown: the hard part.", replyTo: 1 },
    ],
  },
];
