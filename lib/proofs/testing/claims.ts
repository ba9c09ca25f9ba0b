/** An honest token of the test issuer, and its parts. */

export const NOW = 1_800_000_000;
export const ISS = "https://accounts.example.test";
export const TENANT = "0a1b2c3d-0000-4000-8000-0123456789ab";
/** Our clients at the test issuer; the honest token is the device client's, whose tokens need no nonce. */
export const clients = { webClientId: "web-client", deviceClientId: "client" };
export const claims = {
  iss: ISS,
  aud: "client",
  sub: "1234567890",
  email: "ada.lovelace@example.com",
  email_verified: true,
  nonce: "n0nce-_",
  iat: NOW - 5,
  exp: NOW + 3600,
};

/** The honest claims but one. */
export const without = (key: keyof typeof claims) =>
  Object.fromEntries(Object.entries(claims).filter(([k]) => k !== key));
