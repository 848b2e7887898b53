export type NextLocation = Readonly<{ href: string; isConsole: boolean }>;

/** Pages of this origin outside of the console. */
const otherPages = ["/quick-invitation", "/loader-demo", "/inbox", "/mailbox"];

/** Of the API only its documentation is a page. */
const docs = /^\/api\/docs\/?$/u;

const api = /^\/api(?:\/|$)/iu;

const home: NextLocation = { href: "/tickets", isConsole: true };

/**
 * The target after sign-in: the page that redirected, with its query. Only pages of this origin, to
 * prevent open redirects.
 */
export function locationAfterSignIn(next: string | undefined, origin: string): NextLocation {
  if (next === undefined || !URL.canParse(next, origin)) {
    return home;
  }
  const url = new URL(next, origin);
  const { pathname } = url;
  const isDocs = docs.test(pathname);
  // `//` would start a host name.
  const isNowhere =
    pathname === "/login" || pathname.startsWith("//") || (api.test(pathname) && !isDocs);
  if (url.origin !== origin || isNowhere) {
    return home;
  }
  const isOther =
    isDocs || otherPages.some((path) => pathname === path || pathname.startsWith(`${path}/`));
  return { href: `${pathname}${url.search}${url.hash}`, isConsole: !isOther };
}
