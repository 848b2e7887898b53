/** Invalid input that clients send by mistake or on purpose. */
import { expect } from "chai";
import fc from "fast-check";
import { expectFieldFault } from "../support/problem-shape.ts";
import type { ApiAnswer } from "../support/whole-api.ts";

const sound = [200, 201, 202, 204, 400, 401, 403, 404, 409, 410, 413, 415, 429];

/** Expects no 5xx, and a 400 with the fields at fault. */
export function expectSound(answer: ApiAnswer, what: string): void {
  const found = `${what}: ${answer.status} ${answer.text.slice(0, 300)}`;
  expect(answer.status, found).to.be.lessThan(500);
  expect(answer.status, found).to.be.oneOf(sound);
  if (answer.status === 400) {
    expectFieldFault(answer, what);
  }
}

const samples = { string: "text", integer: 7, boolean: true, object: {}, array: [], null: null };
type Kind = keyof typeof samples;

/** One value of every JSON type that is not among `type`. An integer is also a `number`. */
export function wrongTypes(type: unknown): unknown[] {
  const known = new Set([type].flat().map(String));
  const isRefused = ([kind]: [string, unknown]): boolean =>
    !known.has(kind) && !(kind === "string" && hasOwnParser(known));
  return (Object.entries(samples) as [Kind, unknown][])
    .filter(isRefused)
    .filter(([kind]) => !(kind === "integer" && known.has("number")))
    .map(([, value]) => value);
}

/** Where text is converted to a number or a boolean, the fault is its format, not its type. */
function hasOwnParser(known: ReadonlySet<string>): boolean {
  return known.has("string");
}

/** Invalid values of a query field, percent-encoded. For free text, only NUL is invalid. */
export function badQueryValues(
  field: string,
  schema: { type?: unknown; enum?: unknown; pattern?: unknown },
): readonly string[] {
  const everywhere = ["%00", "a%00b", "x".repeat(2_001)];
  const time = ["yesterday", "2026-02-30", "2026-13-01", "2026-01-01T00:00:00", "1767225600"];
  const number = ["x", "-1", "1.5", "1e2", "0x10", "99999999999999999999", " 1", "true", "%00"];
  // `explain` answers 404 for an unknown event id in any format.
  const eventId = schema.pattern === undefined ? everywhere : [...everywhere, "evt_", "7"];
  const known: Record<string, readonly string[]> = {
    limit: [...number, "0", "1001"],
    offset: [...number, "1000000001"],
    order: [...everywhere, "up", "ascending"],
    orderby: [...everywhere, "name", "id;drop"],
    state: [...everywhere, "nowhere", "new,nowhere", "new;open"],
    status: [...everywhere, "nowhere", "dead,nowhere"],
    object: [...everywhere, "tickets", "*"],
    eventType: [...everywhere, "ticket.nothing", "ticket.new,x"],
    source: [...everywhere, "nobody", "agent,nobody"],
    role: [...everywhere, "boss", "admin,agent"],
    type: [...everywhere, "meeting"],
    kind: [...everywhere, "meeting"],
    format: [...everywhere, "xml", "json,csv"],
    labels: [...everywhere, "words"],
    withTrashed: [...everywhere, "2", "yes"],
    to: [...everywhere, "nobody", "12"],
    code: [...everywhere, "12x", "-1", "1".repeat(33)],
    userId: [...number, "0"],
    ticketId: [...number, "0"],
    conferenceId: [...number, "0"],
    since: [...everywhere, ...time],
    until: [...everywhere, ...time],
    // UNIX seconds are a valid time for this field.
    time: [...everywhere, ...time.slice(0, -1)],
    webhook: [...everywhere, "x", "0", "1,x", "-1"],
    result: [...everywhere, "6xx", "dead", "5xx,nothing"],
    event: schema.enum === undefined ? everywhere : [...everywhere, "nothing"],
    event_id: eventId,
    eventId,
    cursor: [...everywhere, "x", "e30", "9-9"],
    after: [...everywhere, "x", "MQ"],
    wait: [...number, "26"],
  };
  const ofNumber = schema.type === "integer" ? [...number, "0"] : undefined;
  return (field === "to" ? ofNumber : undefined) ?? known[field] ?? ofNumber ?? everywhere;
}

function nested(depth: number): unknown {
  return depth === 0 ? 1 : [nested(depth - 1)];
}

const strange: readonly unknown[] = [
  ...["", " ", "\u0000", "a\u0000b", "\ud800", "\u202eabc", "💥".repeat(300), "x".repeat(6_000)],
  ...[
    "__proto__",
    "constructor",
    "null",
    "true",
    "1",
    "'; DROP TABLE tickets; --",
    "%00",
    "${7*7}",
  ],
  ...["2026-02-30", "9999-12-31T23:59:59Z", "0000-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00"],
  ...[
    "+33612345678",
    "00",
    "@",
    "a@b",
    `${"a".repeat(64)}@${"b.".repeat(100)}example`,
    "é@é.example",
  ],
  ...["http://127.0.0.1:9/", "https://[::1]/", "http://169.254.169.254/", "javascript:1", "//x"],
  ...["*", "ticket.*", "ticket.nothing", "conversationevent.create:media.OCRDone"],
  ...[0, -1, 1.5, 1e308, -0, 2 ** 53, 4_294_967_296, 2_147_483_648, 1_441, 5],
  ...[true, false, null, {}, [], [[]], [null], { "": "" }, nested(20), nested(40)],
  ...[
    [{ name: "Host", value: "x" }],
    [{ name: "X-A", value: "a\r\nb" }],
    [{ name: "", value: "" }],
  ],
  ...[[{ name: "X-A", value: "é" }], [{ name: "x".repeat(128), value: "y".repeat(1_024) }]],
];

const anyValue = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...strange) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 50 }) },
);

/** Some of the known members, and sometimes an unknown one, with any value. */
export function bodies(properties: readonly string[]): fc.Arbitrary<Record<string, unknown>> {
  const unknown = fc.string({ maxLength: 8 });
  const name =
    properties.length === 0
      ? unknown
      : fc.oneof(
          { weight: 9, arbitrary: fc.constantFrom(...properties) },
          { weight: 1, arbitrary: unknown },
        );
  return fc.dictionary(name, anyValue, { maxKeys: 5, noNullPrototype: true });
}
