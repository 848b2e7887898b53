/**
 * Matchers: responses are compared as a whole, and values that vary between runs by their format.
 */
import { expect } from "chai";

class Form {
  readonly name: string;
  readonly accepts: (value: unknown) => boolean;
  constructor(name: string, accepts: (value: unknown) => boolean) {
    this.name = name;
    this.accepts = accepts;
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

export function like(pattern: RegExp): Form {
  return new Form(String(pattern), (value) => isText(value) && pattern.test(value));
}

export const anInteger = new Form("an integer", Number.isInteger);
export const aText = new Form("a text", isText);
/** ISO 8601 in UTC, with an offset and without a fraction. */
export const aTimestamp = like(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/u);
export const aUuid = like(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u);
export const aServiceKey = like(/^[a-z0-9]{32}$/u);
/** Within two minutes, because the clocks of two machines may differ. */
export const nowInSeconds = new Form(
  "a UNIX time of now in whole seconds",
  (value) => Number.isInteger(value) && Math.abs(Number(value) - Date.now() / 1000) < 120,
);

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function replaced(value: unknown, wanted: unknown): unknown {
  if (wanted instanceof Form) {
    return wanted.accepts(value) ? wanted : value;
  }
  if (Array.isArray(value) && Array.isArray(wanted)) {
    return value.map((one, at) => replaced(one, wanted[at]));
  }
  if (isObject(value) && isObject(wanted) && !Array.isArray(value)) {
    const pairs = Object.entries(value).map(([key, one]) => [key, replaced(one, wanted[key])]);
    return Object.fromEntries(pairs) as unknown;
  }
  return value;
}

/** Deep equality that distinguishes absent from null; a matcher accepts every value of its form. */
export function expectWhole(value: unknown, wanted: unknown): void {
  expect(replaced(value, wanted)).to.deep.equal(wanted);
}

/** Escapes a literal for a regular expression. */
function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/gu, "\\$&");
}

export function addressUnder(base: string, rest: string) {
  return like(new RegExp(`^${escaped(base)}${rest}$`));
}

export function secondsBetween(from: string, until: string): number {
  return (Date.parse(until) - Date.parse(from)) / 1000;
}
