import { expect } from "chai";
import type { WaitingPerson } from "../../../src/contracts/room-messages.ts";
import { createModeration } from "../../../web/rooms/moderation.ts";
import { createStore } from "../../../web/rooms/store.ts";
import type { Signalling } from "../../../web/rooms/signalling/signalling-client.ts";

const since = "2026-03-01T10:00:00.000Z";
const jane: WaitingPerson = { participant: "guest-1", name: "Jane", since };
const joe: WaitingPerson = { participant: "guest-2", name: "Joe", since };

describe("the list of waiting guests", () => {
  /** `present`: those who wait, as the server knows them. */
  const aHost = (present: readonly WaitingPerson[], answers: { isOk: boolean }) => {
    const store = createStore();
    store.update({ waiting: [jane, joe] });
    const asked: string[] = [];
    const signalling = {
      on: () => undefined,
      request: async (type: string) => {
        asked.push(type);
        return type === "waiting" ? { ok: true, people: present } : { ok: answers.isOk };
      },
    } as unknown as Signalling;
    return { store, asked, moderation: createModeration(store, signalling) };
  };

  for (const decision of ["admit", "deny"] as const) {
    it(`has a guest again whom the server could not ${decision}`, async () => {
      const { store, moderation } = aHost([jane, joe], { isOk: false });
      moderation[decision]([jane.participant]);
      expect(store.view().waiting).to.deep.equal([joe]);
      await settled();
      expect(store.view().waiting).to.deep.equal([jane, joe]);
      expect(store.view().notice).to.equal(`${decision}-failed`);
    });
  }

  it("is not asked for again after a success", async () => {
    const { store, asked, moderation } = aHost([jane, joe], { isOk: true });
    moderation.admit("all");
    await settled();
    expect(store.view().waiting).to.deep.equal([]);
    expect(asked).to.deep.equal(["admit"]);
  });
});

function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
