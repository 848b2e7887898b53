/** Pages of this origin that are no part of the console. */
const otherPages = ["/quick-invitation", "/loader-demo", "/inbox", "/outbox", "/api"];

export type NextPlace = Readonly<{ href: string; isConsole: boolean }>;

const home: NextPlace = { href: "/tickets", isConsole: true };

/**
 * Where to go after the sign-in: the page that asked for it, with its whole query. Only pages of
 * this very origin are gone to, so that a link to the sign-in cannot lead elsewhere.
 */
export const placeAfterSignIn = (next: string | undefined, origin: string): NextPlace => {
  if (next === undefined || !URL.canParse(next, origin)) {
    return home;
  }
  const url = new URL(next, origin);
  if (url.origin !== origin || url.pathname === "/login") {
    return home;
  }
  const isOther = otherPages.some(
    (path) => url.pathname === path || url.pathname.startsWith(`${path}/`),
  );
  return { href: `${url.pathname}${url.search}${url.hash}`, isConsole: !isOther };
};
