/** Whether this page's own security policy refused a call: to a script that looks like a network that failed. */
export async function whileWatchingPolicy<T>(
  origin: string,
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly wasForbidden: boolean }> {
  let wasForbidden = false;
  const note = (event: SecurityPolicyViolationEvent) => {
    if (URL.parse(event.blockedURI)?.origin === origin) wasForbidden = true;
  };
  document.addEventListener("securitypolicyviolation", note);
  try {
    const value = await work();
    // The violation is told in a task of its own, which may come after the failure.
    await new Promise((resolve) => setTimeout(resolve, 0));
    return { value, wasForbidden };
  } finally {
    document.removeEventListener("securitypolicyviolation", note);
  }
}
