/** What the page says about a request. Pure: text in, text out. */

export const headerOf = (request, name) =>
  request.headers.find(([given]) => given.toLowerCase() === name)?.[1];

const parse = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isText = (value) => typeof value === "string";

const longest = 120;

/** A word of a body as it stands in a line: bodies are anybody's, of whatever shape and length. */
const word = (value) => {
  const text = isText(value) || typeof value === "number" ? String(value) : "";
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
};

const words = (...values) => values.map(word).filter(Boolean).join(" ");

/** `ticket.create` of `ticket 1000`; an entry of a timeline goes by its type and its ticket. */
export const describe = (request) => {
  const body = parse(request.body);
  if (!isText(body?.object) || !isText(body?.event)) {
    return { title: "Other request", about: headerOf(request, "content-type") ?? "no body" };
  }
  const { eventType, ticketId } = body.props ?? {};
  return body.object === "conversationevent" && isText(eventType)
    ? { title: word(eventType), about: words("timeline of ticket", ticketId) }
    : {
        title: `${word(body.object)}.${word(body.event)}`,
        about: words(body.object, body.objectId),
      };
};

/** Where the request stands among those of its webhook; its attempt where it is not the first. */
export const standingOf = (request) => {
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
const isModest = (json) => {
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
export const pretty = (text) => {
  try {
    const value = JSON.parse(text);
    return isModest(text) ? JSON.stringify(value, null, 2) : undefined;
  } catch {
    return undefined;
  }
};

/** Whether the text is what was sent, byte for byte: what is no UTF-8, and NUL, is kept as �. */
export const isExact = (text) => !text.includes("\uFFFD");

/** Values that the platform does not keep come as these dots. */
export const isMasked = ([, value]) => value === "••••";

const toleranceSeconds = 300;

/** Why a signature was not accepted, as far as it can be seen from here. */
export const whyNotVerified = (request) => {
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
];

const relative = new Intl.RelativeTimeFormat("en", { numeric: "always", style: "narrow" });

/** `5s ago`. Never in the future: clocks differ, and that is not what the reader asks. */
export const ago = (date, now) => {
  const seconds = Math.max(0, Math.round((now - date) / 1000));
  const [unit, size] = units.find(([, length]) => seconds >= length) ?? ["second", 1];
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
export const exact = (date) => exactFormat.format(date).replace(".000", "");

export const bytes = (text) => {
  const size = new TextEncoder().encode(text).length;
  return size < 1024 ? `${size} B` : `${(size / 1024).toFixed(1)} KB`;
};
