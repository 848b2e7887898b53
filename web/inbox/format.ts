/** The texts about a request. Pure. */
import { maskedValue } from "../../src/contracts/request-headers.ts";
import { fill, type Language } from "../shared/words.ts";
import type en from "./texts/en.json";

export type InboxTexts = Readonly<Record<keyof typeof en, string>>;

type Header = readonly [name: string, value: string];

/** A request as the inbox lists it. */
export type InboxRequest = Readonly<{
  id: number;
  /** ISO. */
  received: string;
  /** Null: there is no secret for verification. */
  verified: boolean | null;
  headers: readonly Header[];
  body: string;
}>;

/** `ticket.create` and `ticket 1000`; for a timeline entry, its type and its ticket. */
export function describe(
  request: InboxRequest,
  texts: InboxTexts,
): { title: string; about: string } {
  const body = parse(request.body);
  if (!isText(body?.object) || !isText(body.event)) {
    return { title: texts.other, about: headerOf(request, "content-type") ?? "" };
  }
  const { eventType, ticketId } = (body.props ?? {}) as Record<string, unknown>;
  return body.object === "conversationevent" && isText(eventType)
    ? { title: word(eventType), about: fill(texts.timeline, { id: word(ticketId) }).trim() }
    : {
        title: `${word(body.object)}.${word(body.event)}`,
        about: words(body.object, body.objectId),
      };
}

/** Bodies are untrusted: any member may be missing. */
type AnyBody = { object?: unknown; event?: unknown; objectId?: unknown; props?: unknown };

function parse(text: string): AnyBody | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function words(...values: unknown[]): string {
  return values.map(word).filter(Boolean).join(" ");
}

const longest = 120;

/** A value of a body in one line. Bodies are untrusted, of any type and length. */
function word(value: unknown): string {
  const text = isText(value) || typeof value === "number" ? String(value) : "";
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** The sequence of the request, and its attempt if it is not the first. */
export function standingOf(request: InboxRequest, texts: InboxTexts): string[] {
  const sequence = headerOf(request, "webhook-sequence");
  const attempt = headerOf(request, "webhook-attempt");
  return [
    ...(sequence === undefined ? [] : [`#${sequence}`]),
    ...(attempt === undefined || attempt === "1" ? [] : [fill(texts.attempt, { number: attempt })]),
  ];
}

/** Whether the text is byte-exact: invalid UTF-8 and NUL are stored as �. */
export function isExact(text: string): boolean {
  return !text.includes("\uFFFD");
}

/** The mask of values that the platform does not store. */
export function isMasked([, value]: Header): boolean {
  return value === maskedValue;
}

const toleranceSeconds = 300;

/** The likely reason for an invalid signature. */
export function whyNotVerified(request: InboxRequest, texts: InboxTexts): string {
  if (request.verified === null) {
    return texts.why_no_secret;
  }
  if (headerOf(request, "webhook-signature") === undefined) {
    return texts.why_unsigned;
  }
  const sent = Number(headerOf(request, "webhook-timestamp"));
  const apart = Math.round(Date.parse(request.received) / 1000) - sent;
  if (Number.isFinite(apart) && Math.abs(apart) > toleranceSeconds) {
    return fill(texts.why_old, { minutes: String(Math.round(Math.abs(apart) / 60)) });
  }
  return texts.why_wrong;
}

function headerOf(request: InboxRequest, name: string): string | undefined {
  return request.headers.find(([input]) => input.toLowerCase() === name)?.[1];
}

const sizeUnits = { en: ["B", "KB"], fr: ["o", "Ko"] } as const;

/** How long the body is; undefined where there is none. */
export function sizeOf(text: string, language: Language): string | undefined {
  const size = new TextEncoder().encode(text).length;
  const [small, large] = sizeUnits[language];
  const kilo = (size / 1024).toLocaleString(language, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  if (size === 0) {
    return undefined;
  }
  return size < 1024 ? `${size} ${small}` : `${kilo} ${large}`;
}
