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

/** `ticket.create` of `ticket 1000`; an entry of a timeline goes by its type and its ticket. */
export const describe = (request) => {
  const body = parse(request.body);
  if (!isText(body?.object) || !isText(body?.event)) {
    return { title: "Other request", about: headerOf(request, "content-type") ?? "no body" };
  }
  const { eventType, ticketId } = body.props ?? {};
  return body.object === "conversationevent" && isText(eventType)
    ? { title: eventType, about: `timeline of ticket ${String(ticketId)}` }
    : { title: `${body.object}.${body.event}`, about: `${body.object} ${String(body.objectId)}` };
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

/** The body on several lines where it is JSON, else undefined. */
export const pretty = (text) => {
  const value = parse(text);
  return value === undefined ? undefined : JSON.stringify(value, null, 2);
};

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
