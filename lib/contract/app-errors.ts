import { LIMITS } from "./limits";

/** Errors of apps that people sign in to with Parley. */
export const appErrors = {
  too_many_apps: { status: 409, message: `You have ${LIMITS.apps.most} apps. Delete one first.` },
  app_not_found: {
    status: 404,
    message: "You have no such app.",
    meaning: "The caller has no app with this client id; operators find those of everybody.",
  },
  app_request_not_found: {
    status: 404,
    message: "This request is no longer open. Go back to the app and begin again.",
    meaning: "The request to sign in has expired, is answered already, or began in another browser.",
  },
  app_claim_required: {
    status: 409,
    message: "The app does not go on without this.",
    meaning:
      "The app cannot do without a claim that was left out, or that the caller cannot prove; `field` names it.",
  },
} as const;
