import { expect } from "chai";
import type { BoxOpened, AckError } from "../../../src/contracts/signalling.ts";
import { catchUpAll, createCatchUp } from "../../../web/loader/catch-up.ts";
import { createThread } from "../../../web/loader/thread.ts";
import { aBoxMessage } from "../../support/box-messages.ts";

const startMs = Date.parse("2026-11-22T10:00:00.000Z");

/** Messages are ten minutes apart. */
function message(id: number) {
  return aBoxMessage(id, { created: new Date(startMs + id * 600_000).toISOString() });
}

function refused(kind: AckError["error"]["kind"]): AckError {
  return {
    ok: false,
    error: { kind, detail: "" },
  };
}

type Setup = Readonly<{ refusals?: AckError["error"]["kind"][]; isOver?: () => boolean }>;

/** A box that has messages up to 10, of a ticket with `stored` messages. */
function setUp(stored: number, { refusals = [], isOver = () => false }: Setup = {}) {
  const all = Array.from({ length: stored }, (_, index) => message(index + 1));
  const thread = createThread(7);
  thread.add(all.slice(0, 10));
  const asked: (number | undefined)[] = [];
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
    isOver,
  });
  const known = () => thread.lines().map(({ id }) => id);
  return { catchUp, thread, asked, known, all };
}

function upTo(count: number) {
  return Array.from({ length: count }, (_, index) => index + 1);
}

describe("a message box after a lost connection", () => {
  it("loads all missed messages, in any number", async () => {
    const { catchUp, known, asked } = setUp(170);
    catchUp.lose();
    await catchUp.resume();
    expect(known()).to.deep.equal(upTo(170));
    expect(asked).to.deep.equal([9, 59, 109, 159]);
  });

  it("loads messages older than one that arrived or was sent in the meantime", async () => {
    const { catchUp, thread, known, all } = setUp(30);
    catchUp.lose();
    thread.add(all.slice(29));
    await catchUp.resume();
    expect(known()).to.deep.equal(upTo(30));
  });

  it("reports a temporary error of the platform, and continues afterwards", async () => {
    const { catchUp, known, asked } = setUp(70, { refusals: ["rate_limited", "dependency_down"] });
    catchUp.lose();
    expect([await catchUp.resume(), await catchUp.resume()]).to.deep.equal([false, false]);
    expect(await catchUp.resume()).to.equal(true);
    expect(asked).to.deep.equal([9, 9, 9, 59]);
    expect(known()).to.deep.equal(upTo(70));
  });

  it("resumes after a second lost connection", async () => {
    const { catchUp, known } = setUp(90);
    catchUp.lose();
    const first = catchUp.resume();
    catchUp.lose();
    await Promise.all([first, catchUp.resume()]);
    expect(known()).to.deep.equal(upTo(90));
  });

  it("stops if it may not read, and sends no request once it is closed", async () => {
    const lost = setUp(30, { refusals: ["forbidden"] });
    expect(await lost.catchUp.resume()).to.equal(true);
    expect([lost.asked, lost.known()]).to.deep.equal([[9], upTo(10)]);
    const closed = setUp(30, { isOver: () => true });
    expect(await closed.catchUp.resume()).to.equal(true);
    expect(closed.asked).to.deep.equal([]);
  });
});

describe("all message boxes after a lost connection", () => {
  const waiting = (most: number) => {
    const waits: number[] = [];
    return {
      waits,
      isWanted: () => waits.length < most,
      wait: async (ms: number) => void waits.push(ms),
    };
  };

  it("load their missed messages, even if one of them fails", async () => {
    const failing = setUp(30, { refusals: Array(3).fill("internal") });
    const recovered = setUp(20);
    const { waits, isWanted, wait } = waiting(9);
    await catchUpAll([failing.catchUp, recovered.catchUp], isWanted, async (ms) => {
      expect(recovered.known(), "held up by no other").to.deep.equal(upTo(20));
      await wait(ms);
    });
    expect(waits).to.deep.equal([5_000, 5_000, 5_000]);
    expect(failing.known()).to.deep.equal(upTo(30));
    expect(recovered.asked).to.have.length(1);
  });

  it("stop when the module stops, or with the next connection", async () => {
    const failing = setUp(30, { refusals: Array(9).fill("internal") });
    const { isWanted, wait } = waiting(2);
    await catchUpAll([failing.catchUp], isWanted, wait);
    expect(failing.asked).to.have.length(2);
  });
});
