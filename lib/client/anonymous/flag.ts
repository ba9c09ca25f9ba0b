/** Users who have a secret here, without a database: pages of all others load nothing of it. */
const FLAG = "parley.anonymous";

/** Returns whether a user may have a secret here: false is certain. */
export function mayHaveSecret(userId: string): boolean {
  try {
    return localStorage.getItem(FLAG)?.split(" ").includes(userId) ?? false;
  } catch {
    return false;
  }
}

/** Remembers whether a user has a secret here. */
export function flagSecret(userId: string, isHere: boolean): void {
  try {
    const others = (localStorage.getItem(FLAG) ?? "").split(" ").filter((one) => one && one !== userId);
    const users = isHere ? [...others, userId] : others;
    if (users.length > 0) localStorage.setItem(FLAG, users.join(" "));
    else localStorage.removeItem(FLAG);
  } catch {
    // Without this storage there is no database either.
  }
}
