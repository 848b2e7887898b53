/** What the page says about a request. Pure: text in, text out. */

type Header = readonly [name: string, value: string];

/** What the inbox got, as it lists it. */
export type InboxRequest = Readonly<{
  id: number;
  /** ISO. */
  received: string;
  /** Null: there is no secret to verify with. */
  verified: boolean | null;
  headers: readonly Header[];
  body: string;
}>;

const headerOf = (request: InboxRequest, name: string): string | undefined =>
  request.headers.find(([given]) => given.toLowerCase() === name)?.[1];

/** Bodies are anybody's: whatever is asked of one may be there or not. */
type AnyBody = { object?: unknown; event?: unknown; objectId?: unknown; props?: unknown };

const parse = (text: string): AnyBody | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
};

const isText = (value: unknown): value is string => typeof value === "string";

const longest = 120;

/** A word of a body as it stands in a line: bodies are anybody's, of whatever shape and length. */
const word = (value: unknown): string => {
  const text = isText(value) || typeof value === "number" ? String(value) : "";
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
};

const words = (...values: unknown[]): string => values.map(word).filter(Boolean).join(" ");

/** `ticket.create` of `ticket 1000`; an entry of a timeline goes by its type and its ticket. */
export const describe = (request: InboxRequest): { title: string; about: string } => {
  const body = parse(request.body);
  if (!isText(body?.object) || !isText(body.event)) {
    return { title: "Other request", about: headerOf(request, "content-type") ?? "no body" };
  }
  const { eventType, ticketId } = (body.props ?? {}) as Record<string, unknown>;
  return body.object === "conversationevent" && isText(eventType)
    ? { title: word(eventType), about: words("timeline of ticket", ticketId) }
    : {
        title: `${word(body.object)}.${word(body.event)}`,
        about: words(body.object, body.objectId),
      };
};

/** Where the request stands among those of its webhook; its attempt where it is not the first. */
export const standingOf = (request: InboxRequest): string[] => {
  const sequence = headerOf(request, "webhook-sequence");
  const attempt = headerOf(request, "webhook-attempt");
  return [
    ...(sequence === undefined ? [] : [`#${sequence}`]),
    ...(attempt === undefined || attempt === "1" ? [] : [`attempt ${attempt}`]),
  ];
};

const maxLines = 20_000;
const maxFormatted = 1024 * 1024;

/** Strings keep their length; each bracket and comma costs a line with its indent. Valid JSON only. */
const isModest = (json: string): boolean => {
  let depth = 0;
  let lines = 1;
  let size = json.length;
  const signs = /[[\]{},]|"[^"\\]*(?:\\.[^"\\]*)*"/gsu;
  for (const [sign] of json.matchAll(signs)) {
    if (!sign.startsWith('"')) {
      depth += "[{".includes(sign) ? 1 : 0;
      depth -= "]}".includes(sign) ? 1 : 0;
      lines += 1;
      size += 1 + 2 * depth;
      if (lines > maxLines || size > maxFormatted) {
        return false;
      }
    }
  }
  return true;
};

/**
 * The body on several lines where it is JSON, else undefined; so also where that would be too much
 * for the page, as lines grow with the depth of what they stand in.
 */
export const pretty = (text: string): string | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isModest(text) ? JSON.stringify(value, null, 2) : undefined;
  } catch {
    return undefined;
  }
};

/** Whether the text is what was sent, byte for byte: what is no UTF-8, and NUL, is kept as �. */
export const isExact = (text: string): boolean => !text.includes("\uFFFD");

/** Values that the platform does not keep come as these dots. */
export const isMasked = ([, value]: Header): boolean => value === "••••";

const toleranceSeconds = 300;

/** Why a signature was not accepted, as far as it can be seen from here. */
export const whyNotVerified = (request: InboxRequest): string => {
  if (request.verified === null) {
    return "The webhook that points here has no secret, so nothing could be checked.";
  }
  if (headerOf(request, "webhook-signature") === undefined) {
    return "The request has no webhook-signature header. Somebody sent it who has no secret.";
  }
  const sent = Number(headerOf(request, "webhook-timestamp"));
  const apart = Math.round(Date.parse(request.received) / 1000) - sent;
  if (Number.isFinite(apart) && Math.abs(apart) > toleranceSeconds) {
    const minutes = Math.round(Math.abs(apart) / 60);
    return `webhook-timestamp is ${minutes} min away from the time of arrival; 5 min are allowed.`;
  }
  return "The signature does not fit the body and the secret: another secret, or a changed body.";
};

const units = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "always", style: "narrow" });

/** `5s ago`. Never in the future: clocks differ, and that is not what the reader asks. */
export const ago = (date: Date, now: Date): string => {
  const seconds = Math.max(0, Math.round((now.getTime() - date.getTime()) / 1000));
  const [unit, size] = units.find(([, length]) => seconds >= length) ?? (["second", 1] as const);
  return seconds < 2 ? "just now" : relative.format(-Math.floor(seconds / size), unit);
};

const exactFormat = new Intl.DateTimeFormat("en-GB", {
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
  timeZoneName: "short",
});

/** The exact time in the reader's zone, with the zone's name. */
export const exact = (date: Date): string => exactFormat.format(date).replace(".000", "");

export const bytes = (text: string): string => {
  const size = new TextEncoder().encode(text).length;
  return size < 1024 ? `${size} B` : `${(size / 1024).toFixed(1)} KB`;
};
