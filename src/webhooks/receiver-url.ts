import { invalidParameter } from "../contracts/problems.ts";

export const maxUrlLength = 2048;

/**
 * Whether webhooks may be sent there, asked when a URL is saved. `href` is its normalised form.
 * The answer never tells what a blocked name leads to.
 */
export type CheckUrl = (
  url: string,
) => Promise<
  { isAllowed: true; href: string } | { isAllowed: false; reason: string; detail: string }
>;

/**
 * The URL of the field in the form to store. Throws the problem of one that requests cannot be
 * sent to.
 */
export async function urlToStore(text: string, checkUrl: CheckUrl, field = "url"): Promise<string> {
  const verdict = await checkUrl(text);
  if (!verdict.isAllowed) {
    throw invalidParameter(field, verdict.reason, verdict.detail);
  }
  return verdict.href;
}

/** Whether requests go to another origin than before, so that nothing stored may go with them. */
export function isElsewhere(after: string | null, before: string | null): boolean {
  return after !== null && originOf(after) !== originOf(before);
}

function originOf(url: string | null): string | undefined {
  return url === null ? undefined : new URL(url).origin;
}

const inboxPath = /\/inbox\/(?<key>[A-Za-z0-9]{22})$/u;

/** The key of an inbox URL, wherever the inbox is served; its query does not count. */
export function inboxKeyOf(url: string | null): string | undefined {
  return url === null || !URL.canParse(url)
    ? undefined
    : inboxPath.exec(new URL(url).pathname)?.groups?.["key"];
}
