import { keep, saved } from "./saved";
import { offlinePath, shell } from "./shell";

/** After this long without an answer the copy is shown, where there is one. Milliseconds. */
const SLOW = 6000;

export interface Navigation {
  readonly request: Request;
  /** The answer the browser asked for while it started the worker, if it did. */
  readonly preloaded: Promise<Response | undefined>;
  /** Work that goes on after the answer. */
  readonly later: (work: Promise<unknown>) => void;
}

/** A page: from the network, else the copy, else the way to the offline page. */
export async function navigate({ request, preloaded, later }: Navigation): Promise<Response> {
  const { url } = request;
  const network = fromNetwork(request, preloaded, later);
  // Its failure is looked at below, but maybe later than it happens.
  network.catch(() => undefined);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const slow = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), SLOW);
  });
  try {
    return (await Promise.race([network, slow])) ?? (await saved(url)) ?? (await network);
  } catch {
    return (await saved(url)) ?? (await offline(new URL(url)));
  } finally {
    clearTimeout(timer);
  }
}

async function fromNetwork(
  request: Request,
  preloaded: Navigation["preloaded"],
  later: Navigation["later"],
): Promise<Response> {
  const response = (await preloaded) ?? (await fetch(request));
  later(keep(request.url, response.clone()).catch(() => false));
  return response;
}

/** The offline page under its own address, which keeps where its reader wanted to go. */
async function offline({ origin, pathname, search }: URL): Promise<Response> {
  if (pathname === offlinePath) return await shell();
  const to = new URL(offlinePath, origin);
  to.searchParams.set("to", `${pathname}${search}`);
  return Response.redirect(to.href);
}
