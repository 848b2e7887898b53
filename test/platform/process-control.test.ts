import { EventEmitter } from "node:events";
import { expect } from "chai";
import { exitCodeOf, listenForStop } from "../../src/platform/process-control.ts";

describe("listenForStop", () => {
  const listen = () => {
    const source = new EventEmitter();
    const heard: string[] = [];
    let nowMs = 0;
    const stopListening = listenForStop(
      source,
      {
        onStop: (signal) => void heard.push(`stop ${signal}`),
        onAgain: (signal) => void heard.push(`again ${signal}`),
      },
      () => nowMs,
    );
    const send = (signal: string, atMs: number): void => {
      nowMs = atMs;
      source.emit(signal);
    };
    return { source, heard, send, stopListening };
  };

  it("ignores a duplicate that npm forwards right after the terminal's signal", () => {
    const { heard, send } = listen();
    send("SIGINT", 0);
    send("SIGINT", 5);
    send("SIGTERM", 200);
    expect(heard).to.deep.equal(["stop SIGINT"]);
  });

  it("distinguishes later signals from the first", () => {
    const { heard, send } = listen();
    send("SIGHUP", 0);
    send("SIGTERM", 1_000);
    send("SIGINT", 1_001);
    expect(heard).to.deep.equal(["stop SIGHUP", "again SIGTERM", "again SIGINT"]);
  });

  it("leaves no listener behind", () => {
    const { source, heard, send, stopListening } = listen();
    stopListening();
    send("SIGTERM", 0);
    expect(heard).to.deep.equal([]);
    expect(source.eventNames()).to.deep.equal([]);
  });

  it("uses the exit codes of shells", () => {
    expect([exitCodeOf("SIGHUP"), exitCodeOf("SIGINT"), exitCodeOf("SIGTERM")]).to.deep.equal([
      129, 130, 143,
    ]);
  });
});
