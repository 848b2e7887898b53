/**
 * Every requirement, by chapter and number: the promises in the tables and rules of the API pages,
 * the loader and the quick invitation. The number of a timeline entry type (`E`) is its
 * `eventCode`; a new operation, field or state gets the next free number of its group here. The
 * titles of the tests in this folder contain them (`T-01`, or `T-05..08` for a range);
 * `test/tooling/service-reference.test.ts` checks that each one is tested, or listed below with the
 * reason and the tests that cover it.
 */
type Range = readonly [group: string, first: number, last: number];

export const chapters: Readonly<Record<string, readonly Range[]>> = {
  "What the service does": [["G", 1, 13]],
  "Resources and their fields": [
    ["T", 1, 24],
    ["TM", 1, 9],
    ["TS", 1, 27],
    ["C", 1, 17],
    ["CM", 1, 15],
    ["CS", 1, 14],
    ["U", 1, 10],
    ["K", 1, 3],
  ],
  "States and transitions": [["TR", 1, 19]],
  Endpoints: [
    ["P", 1, 22],
    ["Q", 1, 9],
    ["L", 1, 22],
  ],
  Authentication: [["A", 1, 8]],
  Events: [
    ["W", 1, 16],
    ["E", 1, 8],
    ["E", 10, 16],
    ["E", 20, 28],
    ["E", 30, 33],
    ["E", 40, 42],
    ["E", 50, 52],
  ],
  Errors: [["X", 1, 4]],
  Limits: [["M", 1, 5]],
  Versioning: [["V", 1, 5]],
};

function idOf(group: string, number: number): string {
  return `${group}-${String(number).padStart(2, "0")}`;
}

function idsOf([group, first, last]: Range): string[] {
  return Array.from({ length: last - first + 1 }, (_, at) => idOf(group, first + at));
}

export const requirements: readonly string[] = Object.values(chapters).flat().flatMap(idsOf);

/**
 * A requirement that tests outside of this folder cover, below HTTP or in a browser: the part of
 * the product or the reason, and the tests.
 */
type Elsewhere = Readonly<{ part: string; shownBy: readonly [string, ...string[]] }>;

const form = "the quick invitation form, which is a page";
const loader = "the agent loader, which is a script for pages";
function inBrowser(name: string): string {
  return `test/browser/${name}.browser.ts`;
}
const days = "timers of minutes and days, which no client can turn forward";

const elsewhere: readonly (readonly [range: Range, reason: Elsewhere])[] = [
  [["G", 2, 2], { part: "the camera of the customer's page", shownBy: [inBrowser("visit")] }],
  [["G", 4, 4], { part: "the camera of the meeting room", shownBy: [inBrowser("meeting")] }],
  [
    ["G", 9, 9],
    {
      part: "the quick invitation form and the agent loader",
      shownBy: [
        inBrowser("quick-invitation-form"),
        inBrowser("quick-invitation-frame"),
        inBrowser("loader-boxes"),
      ],
    },
  ],
  [
    ["G", 11, 11],
    { part: "superadmins, whom no interface makes", shownBy: ["test/matrix/access.int.test.ts"] },
  ],
  [["T", 21, 21], { part: "the pages of the rooms", shownBy: [inBrowser("call-agent")] }],
  [["CS", 4, 13], { part: days, shownBy: ["test/rooms/statistics/routes.int.test.ts"] }],
  [["TR", 10, 11], { part: days, shownBy: ["test/tickets/timers.int.test.ts"] }],
  [["TR", 13, 13], { part: days, shownBy: ["test/tickets/room-subject.int.test.ts"] }],
  [["P", 17, 17], { part: "the pages of the rooms", shownBy: [inBrowser("meeting-hosts")] }],
  [["P", 18, 18], { part: "the pages of the rooms", shownBy: [inBrowser("meeting")] }],
  [["Q", 1, 7], { part: form, shownBy: [inBrowser("quick-invitation-form")] }],
  [["Q", 8, 8], { part: form, shownBy: [inBrowser("quick-invitation-frame")] }],
  [["Q", 9, 9], { part: form, shownBy: [inBrowser("quick-invitation-form")] }],
  [["L", 1, 1], { part: loader, shownBy: [inBrowser("loader-callbacks")] }],
  [
    ["L", 2, 4],
    {
      part: loader,
      shownBy: [inBrowser("loader-boxes"), "test/web/loader/arguments.test.ts"],
    },
  ],
  [["L", 5, 5], { part: loader, shownBy: [inBrowser("loader-callbacks")] }],
  [["L", 6, 6], { part: loader, shownBy: [inBrowser("loader-frame")] }],
  [["L", 7, 8], { part: loader, shownBy: [inBrowser("loader-callbacks")] }],
  [["L", 9, 11], { part: loader, shownBy: [inBrowser("loader-boxes")] }],
  [["L", 12, 12], { part: loader, shownBy: [inBrowser("loader-demo")] }],
  [["L", 13, 18], { part: loader, shownBy: [inBrowser("loader-callbacks")] }],
  [["L", 19, 19], { part: loader, shownBy: [inBrowser("loader-frame")] }],
  [["L", 20, 22], { part: loader, shownBy: [inBrowser("loader-callbacks")] }],
  [["E", 11, 11], { part: days, shownBy: ["test/tickets/invite.int.test.ts"] }],
  [["E", 15, 16], { part: days, shownBy: ["test/tickets/timers.int.test.ts"] }],
  [["M", 2, 2], { part: form, shownBy: [inBrowser("quick-invitation-form")] }],
  [["M", 4, 4], { part: days, shownBy: ["test/rooms/statistics/routes.int.test.ts"] }],
];

export const shownElsewhere: ReadonlyMap<string, Elsewhere> = new Map(
  elsewhere.flatMap(([range, reason]) => idsOf(range).map((id) => [id, reason])),
);

/** Expands `T-01` and `T-05..08` in a title. */
export function idsInTitle(title: string): string[] {
  return [...title.matchAll(/\b([A-Z]{1,2})-(\d{2})(?:\.\.(\d{2}))?/gu)].flatMap(
    ([, group = "", first = "", last = first]) => idsOf([group, Number(first), Number(last)]),
  );
}
