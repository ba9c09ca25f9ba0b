/** Cookie of a topic's pages whose reader does not want to join its crowd now. */
export const declinedCookie = "parley-crowd-declined";
