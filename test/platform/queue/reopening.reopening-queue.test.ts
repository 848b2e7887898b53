import { expect } from "chai";
import { createReopeningQueue } from "../../../src/platform/queue/reopening.ts";
import { eventually } from "../../support/eventually.ts";

const pauseMs = 200;

function failureOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => "none",
    (thrown: unknown) => String(thrown),
  );
}

/** A queue that fails to open while `isAway` is true, with a log of calls. */
function aQueue() {
  const state = { isAway: true, opened: 0, closed: 0, said: [] as string[] };
  const queue = createReopeningQueue({
    name: "one",
    pauseMs,
    timeoutMs: 100,
    open: () => {
      state.opened += 1;
      const ready = state.isAway ? Promise.reject(new Error("away")) : Promise.resolve();
      return {
        queue: { waitUntilReady: () => ready },
        close: async () => void (state.closed += 1),
      };
    },
    outage: {
      began: (_name, { message }) => state.said.push(message),
      ended: () => state.said.push("back"),
    },
  });
  return { state, queue, ask: () => queue.call(async () => "answer") };
}

describe("a reopening queue", () => {
  it("opens at the first call, once for concurrent calls", async () => {
    const { state, ask } = aQueue();
    state.isAway = false;
    expect(state.opened).to.equal(0);
    expect(await Promise.all([ask(), ask()])).to.deep.equal(["answer", "answer"]);
    await ask();
    expect([state.opened, state.closed]).to.deep.equal([1, 0]);
  });

  it("replaces a queue that failed to open, after the pause", async () => {
    const { state, ask } = aQueue();
    expect(await Promise.all([failureOf(ask()), failureOf(ask())])).to.deep.equal([
      "Error: away",
      "Error: away",
    ]);
    expect(await failureOf(ask())).to.equal("Error: away");
    expect([state.opened, state.closed]).to.deep.equal([1, 1]);
    state.isAway = false;
    await eventually(ask, { timeoutMs: 5 * pauseMs });
    expect([state.opened, state.closed]).to.deep.equal([2, 1]);
  });

  it("keeps an open queue, for any result of a call", async () => {
    const { state, queue, ask } = aQueue();
    state.isAway = false;
    expect(await failureOf(queue.call(() => Promise.reject(new Error("refused"))))).to.contain(
      "refused",
    );
    expect(await failureOf(queue.call(() => new Promise(() => undefined)))).to.contain("100 ms");
    expect(await ask()).to.equal("answer");
    expect(state.opened).to.equal(1);
    expect(state.said.at(-1)).to.equal("back");
  });

  it("opens nothing after it was closed", async () => {
    const { state, queue, ask } = aQueue();
    state.isAway = false;
    await ask();
    await queue.close();
    expect(await failureOf(ask())).to.contain("closed");
    expect([state.opened, state.closed]).to.deep.equal([1, 1]);
  });
});
