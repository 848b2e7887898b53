import { expect } from "chai";
import type { BoxMessage, BoxOpened, Refused } from "../../../src/contracts/signalling.ts";
import { createCatchUp } from "../../../web/loader/catch-up.ts";
import { createThread } from "../../../web/loader/thread.ts";

const startMs = Date.parse("2026-11-22T10:00:00.000Z");

/** A message every ten minutes. */
const message = (id: number): BoxMessage => ({
  id,
  kind: "ticket",
  destId: 9,
  author: "guest",
  userId: null,
  name: "Jane",
  text: `text ${id}`,
  created: new Date(startMs + id * 600_000).toISOString(),
  clientId: null,
});

const refused = (kind: Refused["error"]["kind"]): Refused => ({
  ok: false,
  error: { kind, detail: "" },
});

/** A box that has the messages up to 10, of a ticket that has `stored`. */
const setUp = (stored: number, refusals: Refused["error"]["kind"][] = []) => {
  const all = Array.from({ length: stored }, (_, index) => message(index + 1));
  const thread = createThread(7);
  thread.add(all.slice(0, 10));
  const asked: (number | undefined)[] = [];
  const waits: number[] = [];
  let isOver = false;
  const catchUp = createCatchUp({
    thread,
    open: async (after) => {
      asked.push(after);
      const kind = refusals.shift();
      if (kind !== undefined) {
        return refused(kind);
      }
      const found = all.filter(({ id }) => id > (after ?? 0));
      const messages = after === undefined ? found.slice(-50) : found.slice(0, 50);
      return { ok: true, messages } as unknown as BoxOpened & { ok: true };
    },
    receive: (read) => void thread.add([read]),
    onNewest: () => undefined,
    isOver: () => isOver,
    wait: async (ms) => {
      waits.push(ms);
      isOver = waits.length > 5;
    },
  });
  const known = () => thread.lines().map(({ id }) => id);
  return { catchUp, thread, asked, waits, known, all };
};

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe("a box after a lost connection", () => {
  it("reads all that it missed, however much it is", async () => {
    const { catchUp, known, asked } = setUp(170);
    catchUp.lose();
    await catchUp.resume();
    expect(known()).to.deep.equal(upTo(170));
    expect(asked).to.deep.equal([9, 59, 109, 159]);
  });

  it("misses nothing below a message that is told, or sent, before it could ask", async () => {
    const { catchUp, thread, known, all } = setUp(30);
    catchUp.lose();
    thread.add(all.slice(29));
    await catchUp.resume();
    expect(known()).to.deep.equal(upTo(30));
  });

  it("waits and asks again where the platform cannot answer now", async () => {
    const { catchUp, known, waits } = setUp(70, ["rate_limited", "dependency_down"]);
    catchUp.lose();
    await catchUp.resume();
    expect(waits).to.deep.equal([5_000, 5_000]);
    expect(known()).to.deep.equal(upTo(70));
  });

  it("goes on from where it was when the next connection is lost in the middle", async () => {
    const { catchUp, known } = setUp(90, ["dependency_down"]);
    catchUp.lose();
    const first = catchUp.resume();
    catchUp.lose();
    await Promise.all([first, catchUp.resume()]);
    expect(known()).to.deep.equal(upTo(90));
  });

  it("gives up where it may not read, and when the module stops", async () => {
    const lost = setUp(30, ["forbidden"]);
    await lost.catchUp.resume();
    expect([lost.asked, lost.known()]).to.deep.equal([[9], upTo(10)]);
    const stopped = setUp(30, Array(20).fill("internal"));
    await stopped.catchUp.resume();
    expect(stopped.asked).to.have.length(6);
  });
});
