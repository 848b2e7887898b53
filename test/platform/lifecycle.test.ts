import { expect } from "chai";
import { ConfigError } from "../../src/config/config.ts";
import { runToEnd } from "../../src/platform/lifecycle.ts";
import { eventually } from "../support/eventually.ts";
import { recordingLog, runLifecycle, type Line } from "../support/lifecycle.ts";

async function never(): Promise<never> {
  return new Promise(() => undefined);
}

describe("runUntilSignal", () => {
  it("closes everything in reverse order, one after the other, and exits with 0", async () => {
    const closed: string[] = [];
    const close = (name: string) => async (): Promise<void> => {
      closed.push(`${name} begins`);
      await new Promise(setImmediate);
      closed.push(`${name} ends`);
    };
    const { codes, ended, send, source } = runLifecycle(async ({ onStop }) => {
      onStop("pool", close("pool"));
      onStop("server", close("server"));
    });
    send("SIGTERM");
    await ended;
    expect(closed).to.deep.equal(["server begins", "server ends", "pool begins", "pool ends"]);
    expect(codes).to.deep.equal([0]);
    expect(source.eventNames()).to.deep.equal([]);
  });

  it("runs until it is asked to stop", async () => {
    const { codes, ended, send } = runLifecycle(async () => undefined);
    await new Promise(setImmediate);
    expect(codes).to.deep.equal([]);
    send("SIGINT");
    await ended;
    expect(codes).to.deep.equal([0]);
  });

  it("announces the stop, drains, and only then closes", async () => {
    const { codes, ended, send } = runLifecycle(async (lifecycle) => {
      lifecycle.onStop("server", async () => void seen.push("closed"));
      lifecycle.onDrain(async () => {
        seen.push(`drains ${lifecycle.stopRequested.aborted} ${lifecycle.signal.aborted}`);
        await drained;
      });
    });
    const seen: string[] = [];
    let finish = (): void => undefined;
    const drained = new Promise<void>((resolve) => (finish = resolve));
    await new Promise(setImmediate);
    send("SIGTERM");
    await eventually(() => seen.length === 1);
    expect(seen).to.deep.equal(["drains true false"]);
    finish();
    await ended;
    expect(seen).to.deep.equal(["drains true false", "closed"]);
    expect(codes).to.deep.equal([0]);
  });

  it("does not drain at Ctrl-C, or when its terminal or its parent is gone", async () => {
    for (const event of ["SIGINT", "SIGHUP", "disconnect"]) {
      let hasDrained = false;
      const { codes, ended, send } = runLifecycle(async ({ onDrain }) => {
        onDrain(async () => {
          hasDrained = true;
        });
      });
      await new Promise(setImmediate);
      send(event);
      await ended;
      expect({ event, codes, hasDrained }).to.deep.equal({ event, codes: [0], hasDrained: false });
    }
  });

  it("stops draining at a fatal error, or when its parent is gone", async () => {
    for (const event of ["uncaughtException", "disconnect"]) {
      let isAborted = false;
      const { codes, ended, send, source, lines } = runLifecycle(async ({ onDrain }) => {
        onDrain(async (signal) => {
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          isAborted = true;
        });
      });
      await new Promise(setImmediate);
      send("SIGTERM");
      await eventually(() => lines.some((line) => line.event === "process.stopping"));
      await new Promise(setImmediate);
      source.emit(event, new Error("broken"));
      await ended;
      expect(isAborted).to.equal(true);
      expect(codes).to.deep.equal([event === "disconnect" ? 0 : 1]);
    }
  });

  it("exits immediately at a second signal, with the shell's exit code", async () => {
    const { codes, send, log } = runLifecycle(async ({ onStop, configure }) => {
      configure({ log, graceMs: 0 });
      onStop("stuck", never);
    });
    send("SIGTERM", 0);
    expect(codes).to.deep.equal([]);
    send("SIGINT", 1_000);
    expect(codes).to.deep.equal([130]);
  });

  it("abandons a part that does not close, closes the others, and exits with 1", async () => {
    let isPoolClosed = false;
    const { codes, ended, send, lines } = runLifecycle(async ({ onStop, configure }) => {
      configure({ log: recordingLog([]), graceMs: 0 });
      onStop("pool", async () => {
        isPoolClosed = true;
      });
      onStop("stuck", never);
    });
    send("SIGTERM");
    await ended;
    expect(isPoolClosed).to.equal(true);
    expect(codes).to.deep.equal([1]);
    expect(lines).to.deep.equal([]);
  });

  it("logs the part that failed to close", async () => {
    const lines: Line[] = [];
    const { codes, ended, send } = runLifecycle(async ({ onStop, configure }) => {
      configure({ log: recordingLog(lines), graceMs: 100 });
      onStop("server", async () => {
        throw new Error("still busy");
      });
    });
    send("SIGTERM");
    await ended;
    expect(codes).to.deep.equal([1]);
    expect(lines.map(({ event }) => event)).to.deep.equal([
      "process.stopping",
      "process.part_not_closed",
      "process.stopped",
    ]);
    expect(lines[1]).to.include({ part: "server", reason: "still busy" });
  });

  it("prints every error of the configuration and exits with 2", async () => {
    const faults = ["PORT must be integer", "SECRET_KEY is required"];
    const { codes, ended, printed, lines } = runLifecycle(async () => {
      throw new ConfigError(faults);
    });
    await ended;
    expect(lines[0]).to.deep.equal({
      event: "process.start_failed",
      level: "fatal",
      reason: "The configuration has 2 errors",
      faults,
    });
    expect(codes).to.deep.equal([2]);
    expect(printed).to.deep.equal([
      "The configuration has 2 errors:",
      "  PORT must be integer",
      "  SECRET_KEY is required",
    ]);
  });

  it("prints and logs one line when the start fails, and closes everything", async () => {
    let isClosed = false;
    const { codes, ended, printed, lines } = runLifecycle(async ({ onStop }) => {
      onStop("pool", async () => {
        isClosed = true;
      });
      throw new Error("The database did not answer", { cause: new Error("ECONNREFUSED") });
    });
    await ended;
    expect(printed).to.deep.equal([
      "sightline test cannot start: The database did not answer: ECONNREFUSED",
    ]);
    expect(lines[0]).to.include({
      event: "process.start_failed",
      level: "fatal",
      reason: "The database did not answer: ECONNREFUSED",
    });
    expect(isClosed).to.equal(true);
    expect(codes).to.deep.equal([1]);
  });

  it("aborts a running start, and closes what it still opened", async () => {
    const closed: string[] = [];
    const { codes, ended, printed, send } = runLifecycle(async ({ onStop, signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      onStop("late", async () => void closed.push("late"));
      throw new Error("given up");
    });
    await new Promise(setImmediate);
    send("SIGTERM");
    await ended;
    expect(closed).to.deep.equal(["late"]);
    expect(printed).to.deep.equal([]);
    expect(codes).to.deep.equal([0]);
  });

  for (const event of ["uncaughtException", "unhandledRejection"]) {
    it(`logs an ${event}, closes everything and exits with 1`, async () => {
      let isClosed = false;
      const { codes, ended, lines, source } = runLifecycle(async ({ onStop }) => {
        onStop("pool", async () => {
          isClosed = true;
        });
      });
      source.emit(event, new Error("unforeseen"));
      await ended;
      expect(lines[0]?.event).to.equal("process.cannot_go_on");
      expect(lines[0]?.["err"]).to.include({ message: "unforeseen" });
      expect(isClosed).to.equal(true);
      expect(codes).to.deep.equal([1]);
    });
  }

  it("exits with 1 after a fatal error of a part", async () => {
    const { codes, ended } = runLifecycle(async ({ fail }) => fail("the port was taken away"));
    await ended;
    expect(codes).to.deep.equal([1]);
  });

  it("exits with an error if something breaks during the stop", async () => {
    const { codes, ended, lines, source, send } = runLifecycle(async ({ onStop }) => {
      onStop("pool", async () => {
        source.emit("uncaughtException", new Error("late fault"));
      });
    });
    send("SIGTERM");
    await ended;
    expect(codes).to.deep.equal([1]);
    await eventually(() => lines.some(({ event }) => event === "process.fault_while_stopping"));
  });
});

describe("runToEnd", () => {
  it("closes and exits with 0 when the work is done", async () => {
    const done: string[] = [];
    const { codes, ended } = runLifecycle(async ({ onStop }) => {
      onStop("pool", async () => void done.push("closed"));
      done.push("worked");
    }, runToEnd);
    await ended;
    expect(done).to.deep.equal(["worked", "closed"]);
    expect(codes).to.deep.equal([0]);
  });

  it("fails if a signal interrupted the work", async () => {
    const { codes, ended, send } = runLifecycle(async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    }, runToEnd);
    await new Promise(setImmediate);
    send("SIGTERM");
    await ended;
    expect(codes).to.deep.equal([143]);
  });
});
