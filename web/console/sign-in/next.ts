export type NextLocation = Readonly<{ href: string; isConsole: boolean }>;

/** Pages of this origin that are no part of the console. */
const otherPages = ["/quick-invitation", "/loader-demo", "/inbox", "/mailbox"];

/** Of the API only the pages that describe it: its operations are no places to go to. */
const docs = /^\/api\/docs\/?$/u;

const api = /^\/api(?:\/|$)/iu;

const home: NextLocation = { href: "/tickets", isConsole: true };

/**
 * Where to go after the sign-in: the page that asked for it, with its whole query. Only pages of
 * this very origin are gone to, so that a link to the sign-in cannot lead elsewhere.
 */
export function locationAfterSignIn(next: string | undefined, origin: string): NextLocation {
  if (next === undefined || !URL.canParse(next, origin)) {
    return home;
  }
  const url = new URL(next, origin);
  const { pathname } = url;
  const isDocs = docs.test(pathname);
  // Two slashes would be the name of another host when the path is gone to.
  const isNowhere =
    pathname === "/login" || pathname.startsWith("//") || (api.test(pathname) && !isDocs);
  if (url.origin !== origin || isNowhere) {
    return home;
  }
  const isOther =
    isDocs || otherPages.some((path) => pathname === path || pathname.startsWith(`${path}/`));
  return { href: `${pathname}${url.search}${url.hash}`, isConsole: !isOther };
}
