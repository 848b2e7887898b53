import { expect } from "chai";
import { fromWakeWord, toWakeWord, type EventKind } from "../../src/contracts/events.ts";

describe("the words of a wake-up of the relay", () => {
  const kinds: EventKind[] = [
    { enterpriseId: 12, object: "ticket", event: "create", eventType: undefined },
    {
      ...{ enterpriseId: 12, object: "conversationevent", event: "create" },
      eventType: "session.established",
    },
  ];
  for (const kind of kinds) {
    it(`name a kind of events: ${toWakeWord(kind)}`, () => {
      expect(fromWakeWord(toWakeWord(kind))).to.deep.equal(kind);
    });
  }

  for (const word of [
    ...["", "12", "12:ticket:create", "12:ticket:created:", "12:tickets:create:"],
    ...["012:ticket:create:", "12:ticket:create::", "+12:ticket:create:"],
    ...["x:ticket:create:", "NaN:ticket:create:", "1.5:ticket:create:", "1e+300:ticket:create:"],
    ...["12:conversationevent:create:other", "12:conversationevent:create:\u0000"],
  ]) {
    it(`name no kind in another spelling: ${JSON.stringify(word)}`, () => {
      expect(fromWakeWord(word)).to.equal(undefined);
    });
  }
});
