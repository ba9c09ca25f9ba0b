/** Where bb itself fetches the ceremony's points from. */
export const CEREMONY_HOSTS = ["https://crs.aztec-cdn.foundation", "https://crs.aztec-labs.com"] as const;
