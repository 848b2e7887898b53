import { expect } from "chai";
import { answerOf, type PartialResult } from "../../../../web/console/search/answer.ts";
import { questionsOf, parseIntent } from "../../../../web/console/search/kinds.ts";

const busy = new Error("busy");
/** Found objects that have only the relevant field, their id. */
function objects<Thing>(ids: readonly number[]): Thing[] {
  return ids.map((id) => ({ id }) as Thing);
}
function tickets(...ids: number[]): PartialResult {
  return { tickets: objects(ids) };
}
function meetings(...ids: number[]): PartialResult {
  return { meetings: objects(ids) };
}

function answer(typed: string, texts: Readonly<Record<string, PartialResult | Error>>) {
  const intent = parseIntent(typed);
  return answerOf(
    intent,
    questionsOf(intent).map((one) => {
      const data = texts[one.kind];
      return data instanceof Error
        ? { intent: one, data: undefined, error: data }
        : { intent: one, data, error: null };
    }),
  );
}

describe("the results of the global search", () => {
  it("are the results of all lists, without duplicates", () => {
    const { found, failed } = answer("42", {
      ...{ ticket: tickets(42), reference: tickets(42, 7), meeting: meetings(5), delivery: {} },
    });
    expect(found.tickets.map(({ id }) => id)).to.deep.equal([42, 7]);
    expect(found.meetings.map(({ id }) => id)).to.deep.equal([5]);
    expect(failed).to.deep.equal([]);
  });

  it("are those of the other lists if one fails, which is named with the reason", () => {
    const { found, failed, searched } = answer("jane@example.com", {
      ...{ reference: busy, meeting: meetings(5) },
    });
    expect(found.meetings.map(({ id }) => id)).to.deep.equal([5]);
    expect(failed).to.deep.equal([{ list: "tickets", error: busy }]);
    expect(searched).to.deep.equal(["meeting"]);
  });

  it("are incomplete if part of a list failed", () => {
    const { found, failed, searched } = answer("42", {
      ...{ ticket: tickets(42), reference: busy, meeting: {}, delivery: busy },
    });
    expect(found.tickets.map(({ id }) => id)).to.deep.equal([42]);
    expect(failed.map(({ list }) => list)).to.deep.equal(["tickets", "deliveries"]);
    expect(searched).to.deep.equal(["meeting"]);
  });
});
