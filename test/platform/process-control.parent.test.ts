import { EventEmitter } from "node:events";
import { expect } from "chai";
import { announceReady, isReadyMessage, onParentExit } from "../../src/platform/process-control.ts";

type Channel = { connected: boolean; send: (message: unknown) => void };

function aProcess(channel?: Channel): EventEmitter & Partial<Channel> {
  return Object.assign(new EventEmitter(), channel);
}

function nothing(): void {
  return undefined;
}

describe("the parent process", () => {
  it("is gone when its channel closes, until the listener is removed", () => {
    const child = aProcess({ connected: true, send: nothing });
    let ends = 0;
    const stop = onParentExit(child, () => (ends += 1));
    expect(ends).to.equal(0);
    child.emit("disconnect");
    expect(ends).to.equal(1);
    stop();
    child.emit("disconnect");
    expect(ends).to.equal(1);
  });

  it("is gone if the channel closed before the listener was added", () => {
    let ends = 0;
    onParentExit(aProcess({ connected: false, send: nothing }), () => (ends += 1));
    expect(ends).to.equal(1);
  });

  it("is undefined without a channel", () => {
    let ends = 0;
    onParentExit(aProcess(), () => (ends += 1));
    expect(ends).to.equal(0);
  });

  it("gets the ready message while it listens", () => {
    const sent: unknown[] = [];
    const send = (message: unknown): void => void sent.push(message);
    announceReady(aProcess());
    announceReady(aProcess({ connected: false, send }));
    expect(sent).to.deep.equal([]);
    announceReady(aProcess({ connected: true, send }));
    expect(sent.map(isReadyMessage)).to.deep.equal([true]);
    expect([null, "ready", { type: "other" }].some(isReadyMessage)).to.equal(false);
  });
});
