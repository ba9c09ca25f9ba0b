/** Names that would speak for the site, its staff or its texts. Compared by what they look like. */
const reserved = new Set(
  [
    ...[
      "admin",
      "admins",
      "administrator",
      "root",
      "owner",
      "mod",
      "mods",
      "moderator",
      "moderators",
      "staff",
    ],
    ...[
      "support",
      "help",
      "helpdesk",
      "security",
      "abuse",
      "legal",
      "official",
      "team",
      "system",
      "server",
      "bot",
    ],
    ...[
      "parley",
      "parley_team",
      "everyone",
      "here",
      "anonymous",
      "withdrawn",
      "former_member",
      "deleted",
      "null",
    ],
  ].map(folded),
);

/** Further than a skeleton: a capital I stands for i here as well as for l. */
function folded(nickname: string): string {
  return nickname.toLowerCase().replace(/[il1]/g, "l").replace(/0/g, "o");
}

/** What a nickname looks like: I, l and 1 are one, O, o and 0 are one, and case does not count. */
export function nicknameSkeleton(nickname: string): string {
  return nickname.replace(/[Il1]/g, "l").toLowerCase().replace(/0/g, "o");
}

/** Whether nobody may choose a nickname; what we make up ourselves begins with `anon_`. */
export function isReserved(nickname: string): boolean {
  return reserved.has(folded(nickname)) || nickname.toLowerCase().startsWith("anon_");
}
