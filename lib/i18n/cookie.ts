/** Name of the cookie that holds the chosen language. */
export const localeCookie = "parley-language";
