import { expect } from "chai";
import type { RoomMessage } from "../../../src/contracts/signalling.ts";
import {
  addDraft,
  addMessages,
  setDraftState,
  settledId,
  type ChatEntry,
} from "../../../web/rooms/chat-messages.ts";

const startMs = Date.parse("2026-11-24T10:00:00.000Z");

function message(id: number, more: Partial<RoomMessage> = {}): RoomMessage {
  const created = new Date(startMs + id * 40_000).toISOString();
  return {
    id,
    author: "guest",
    name: "Jane",
    text: `${id}`,
    created,
    clientId: null,
    participant: null,
    ...more,
  };
}

const own = "agent:3";
const draft = {
  clientId: "mine",
  text: "Hello",
  author: "agent",
  participant: own,
  name: "Demo",
  created: "",
} as const;
const idsOf = (entries: readonly ChatEntry[]): number[] => entries.map(({ id }) => id);

describe("the messages of a chat", () => {
  it("are in order without duplicates, in whatever order they arrive", () => {
    const first = addMessages([], [message(3), message(1)], own);
    expect(idsOf(addMessages(first, [message(1), message(2), message(3)], own))).to.deep.equal([
      1, 2, 3,
    ]);
  });

  it("replace a draft by the stored message", () => {
    const sending = addDraft(addMessages([], [message(1)], own), draft);
    expect(sending[1]).to.include({ id: 0, state: "sending", isOwn: true });
    const stored = addMessages(
      sending,
      [message(2, { clientId: "mine", participant: own, text: "Hello" })],
      own,
    );
    expect(stored).to.have.length(2);
    expect(stored[1]).to.include({ id: 2, state: "sent", isOwn: true });
    expect(addMessages(stored, [message(2, { clientId: "mine" })], own)).to.have.length(2);
  });

  it("belong to the participant, also after a reload, which forgets what the page has sent", () => {
    const all = [message(1, { participant: own }), message(2, { participant: "requestor" })];
    const stored = addMessages([], [...all, message(3)], own);
    expect(stored.map(({ isOwn }) => isOwn)).to.deep.equal([true, false, false]);
    expect(addMessages([], [message(3)], undefined)[0]?.isOwn).to.equal(false);
  });

  it("stay one's own if a process of an older version stores the draft", () => {
    const stored = addMessages(addDraft([], draft), [message(2, { clientId: "mine" })], own);
    expect(stored).to.have.length(1);
    expect(stored[0]).to.include({ id: 2, isOwn: true });
  });

  it("keep failed messages at the end until they are resent", () => {
    const failed = setDraftState(addDraft([], draft), "mine", "failed");
    const later = addMessages(failed, [message(5)], own);
    expect(idsOf(later)).to.deep.equal([5, 0]);
    expect(later[1]?.state).to.equal("failed");
    expect(setDraftState(later, "mine", "sending")[1]?.state).to.equal("sending");
  });
});

describe("the id after which messages may be missing", () => {
  it("is at least one minute older than the newest", () => {
    const entries = addMessages([], [message(1), message(2), message(3)], own);
    expect(settledId(entries)).to.equal(1);
  });

  it("is undefined without messages", () => {
    expect(settledId([])).to.equal(undefined);
    expect(settledId(addDraft(addMessages([], [message(1)], own), draft))).to.equal(undefined);
  });
});
