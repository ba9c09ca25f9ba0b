const dateShown = "2026-01-31T12:00:00.000Z";
const hashShown = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

/** Patterns of values that differ in every run, and their replacements. */
const volatile: readonly (readonly [RegExp, string])[] = [
  // The test prover listens at a port of its own.
  [/http:\/\/127\.0\.0\.1:\d+/g, "http://localhost:3001"],
  [/eyJ[\w-]{10,}\.[\w-]+\.[\w-]+/g, "eyJ…"],
  [/parley_[\w-]{43}/g, "parley_…"],
  [/("clientSecret": )"[\w-]{43}"/g, '$1"q2Wm…"'],
  [/("ticket": )"[\w-]{43}"/g, '$1"v8Rk…"'],
  [/(\/api\/apps\/requests\/|\/oidc\/auth\/)[\w-]{20,}/g, "$1n4Xd2kQ9"],
  [/whsec_[\w+/]{43}=/g, "whsec_…"],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, dateShown],
  [/\d{4}-\d\d-\d\dT\d\d%3A\d\d%3A[\d.]+Z/g, encodeURIComponent(dateShown)],
  [/\b(ch|pr)_[\w-]{24}/g, "$1_…"],
  [/(zk-community-proof-request=)[\w-]{43}/g, "$1…"],
  [/("nonce": )"[\w-]{43}"/g, '$1"jt0Yq…"'],
  [/("score": )-?[\d.]+(e-?\d+)?/g, "$139466.02"],
  [/("(verifiedAt|expiresAt)": )\d{13}/g, "$11769860800000"],
  [/("uptime": )\d+/g, "$13600"],
  [/("ms": )\d+/g, "$12"],
  [/("expiresIn": )29\d\b/g, "$1300"],
  [/("inviteCode": )"[0-9A-Za-z]{8}"/g, '$1"K7QM2XPD"'],
  [/(\/api\/topics\/join\/)[0-9A-Za-z]{8}(?![0-9A-Za-z])/g, "$1K7QM2XPD"],
  [/("token": )"[0-9a-f]{16}"/g, '$1"5d41402abc4b2a76"'],
  [/\/feeds\/[\w-]{43}\//g, "/feeds/LCa0a2j_xo_5m0U8HTBBNBNCLXBkg7-g-YpeiGJm564/"],
  [/(\/api\/topics\/join\/)[0-9a-f]{16}\b/g, "$15d41402abc4b2a76"],
  [/anon_[2-9a-z]{8}/g, "anon_7k3mp2qd"],
  [/("wei": )"\d+"/g, '$1"48213000000000"'],
  [/("gas": )\d+/g, "$127184"],
  [/("blockNumber": )\d+/g, "$1123456"],
  [/("txHash": )"0x[^"]+"/g, '$1"0x5c504ed4…"'],
  [/("postIdHash": )"0x[^"]+"/g, '$1"0xd8cda4ef…"'],
  [/("rpcUrl": )"[^"]+"/g, '$1"https://rpc.example.org"'],
  // The test prover numbers its proofs per process, and retry times of streams vary.
  [/("proof": )"0x[^"]+"/g, '$1"0x00436814…"'],
  [/^(retry: )\d+$/gm, "$11000"],
  // Secrets of crowds are random, and proofs about them too.
  [/("(?:slotNullifier|scopeNullifier|tag|tagCommitment|blinding|root)": )"0x[^"]+"/g, '$1"0x1f2e3d4c…"'],
  [/("publicInputs": \[\s+)"0x[^"]+"/g, '$1"0x0a1b2c3d…"'],
  [/("pseudonym": )"[^"]+"/g, '$1"river cactus"'],
  [/("epoch": )\d+/g, "$120484"],
  [/("week": )\d+/g, "$12926"],
  [/("code": )"\d{6}"/g, '$1"428613"'],
  [/\b(?!0{64})[0-9a-f]{64}\b/g, hashShown],
  [/("nextCursor": )"[^"]+"/g, '$1"…"'],
  [/([?&](expires|until|signature|sig|X-[\w-]+)=)[^&"]+/gi, "$1…"],
];

/** Returns a function that makes every run print the same: numbered IDs, one date, no secrets. */
export function createNormaliser(): (text: string) => string {
  const uuids = new Map<string, string>();
  const users = new Map<string, string>();
  const numbered = (seen: Map<string, string>, id: string, make: (n: number) => string): string => {
    const known = seen.get(id) ?? make(seen.size + 1);
    seen.set(id, known);
    return known;
  };
  return (text) =>
    volatile
      .reduce((done, [pattern, instead]) => done.replace(pattern, instead), text)
      .replace(/\bu_[0-9a-f]{32}/g, (id) =>
        numbered(users, id, (n) => `u_${n.toString(16).padStart(32, "0")}`),
      )
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) =>
        numbered(uuids, id, (n) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, "0")}`),
      );
}
