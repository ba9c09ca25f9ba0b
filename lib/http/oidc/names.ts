/** Where a person decides about an app (app/authorize). */
export const AUTHORIZE = "/authorize";
/** The cookie by which that page knows the browser in which a request began. */
export const REQUEST_COOKIE = "parley_authorize";
/** The cookie by which a browser comes back from that page. */
export const RESUME_COOKIE = "parley_resume";
/** Of the library's own session, which is never stored; `answerOidc` takes it out of every response. */
export const SESSION_COOKIE = "parley_oidc_session";
