import { expect } from "chai";
import { createLogger } from "../../../src/platform/logger.ts";
import {
  startReopeningWorker,
  type OpenableWorker,
} from "../../../src/platform/queue/reopening.ts";
import { eventually } from "../../support/eventually.ts";

type End = "not ready" | "stops" | "ends" | "runs";

/** Workers whose results come from `ends`, in order; the last one repeats. */
function workersThat(...ends: [End, ...End[]]) {
  const state = { opened: 0, closed: 0, disconnected: 0, running: 0, said: [] as string[] };
  /** The jobs of the first worker; it has none by default. */
  const jobs = { ended: Promise.resolve() };
  const open = (): OpenableWorker => {
    const end = ends[Math.min(state.opened, ends.length - 1)];
    let finish: (() => void) | undefined;
    state.opened += 1;
    const run = async (): Promise<void> => {
      if (end === "stops") {
        throw new Error("stopped");
      }
      if (end === "ends") {
        return;
      }
      state.running += 1;
      await new Promise<void>((resolve) => (finish = resolve));
      state.running -= 1;
    };
    return {
      worker: {
        name: "one",
        waitUntilReady: () =>
          end === "not ready" ? Promise.reject(new Error("not ready")) : Promise.resolve(),
        run,
        pause: async () => finish?.(),
        close: async () => {
          state.closed += 1;
          finish?.();
        },
      },
      disconnect: () => void (state.disconnected += 1),
      jobsEnded: state.opened === 1 ? () => jobs.ended : async () => undefined,
    };
  };
  return { state, jobs, open };
}

function start(
  { state, open }: ReturnType<typeof workersThat>,
  pauseMs: number,
): ReturnType<typeof startReopeningWorker> {
  return startReopeningWorker({
    name: "one",
    open,
    pauseMs,
    log: createLogger("silent", "test"),
    outage: {
      began: (_name, { message }) => state.said.push(message),
      ended: () => state.said.push("back"),
    },
  });
}

describe("a reopening worker", () => {
  it("replaces a worker that failed to start or stopped, until one runs", async () => {
    const workers = workersThat("not ready", "not ready", "stops", "runs");
    const { state } = workers;
    const worker = start(workers, 10);
    await eventually(() => expect(state.running).to.equal(1));
    expect(state).to.include({ opened: 4, closed: 3, disconnected: 3 });
    expect(state.said).to.deep.equal(["not ready", "not ready", "back", "stopped", "back"]);
    await worker.pause();
    await worker.close(1_000);
    expect(state).to.include({ opened: 4, closed: 4, disconnected: 4, running: 0 });
  });

  it("replaces a worker that ends by itself without an error", async () => {
    const workers = workersThat("ends", "runs");
    const { state } = workers;
    const worker = start(workers, 10);
    await eventually(() => expect(state.running).to.equal(1));
    expect(state.said).to.deep.equal(["back", "the worker stopped", "back"]);
    await worker.pause();
    await worker.close(1_000);
    expect(state).to.include({ opened: 2, closed: 2, running: 0 });
  });

  describe("whose first worker stopped, and still runs a job", () => {
    const begin = async () => {
      const workers = workersThat("stops", "runs");
      let end = (): void => undefined;
      workers.jobs.ended = new Promise((resolve) => (end = resolve));
      const worker = start(workers, 10);
      await eventually(() => expect(workers.state.running).to.equal(1));
      return { worker, state: workers.state, endJob: () => end() };
    };

    it("replaces it at once, and closes it when the job has ended", async () => {
      const { worker, state, endJob } = await begin();
      expect(state).to.include({ opened: 2, closed: 0 });
      endJob();
      await eventually(() => expect(state).to.include({ closed: 1, disconnected: 1 }));
      await worker.close(60_000);
      expect(state).to.include({ opened: 2, closed: 2, disconnected: 2 });
    });

    it("waits for the job when it is closed", async () => {
      const { worker, state, endJob } = await begin();
      const closed = worker.close(60_000);
      await eventually(() => expect(state).to.include({ closed: 1, disconnected: 1 }));
      endJob();
      await closed;
      expect(state).to.include({ closed: 2, disconnected: 2 });
    });

    it("waits no longer than the grace period", async () => {
      const { worker, state } = await begin();
      await worker.close(20);
      expect(state).to.include({ disconnected: 2 });
    });
  });

  it("pauses between attempts, and opens nothing after it was closed", async () => {
    const workers = workersThat("not ready");
    const { state } = workers;
    const worker = start(workers, 60_000);
    await eventually(() => expect(state.disconnected).to.equal(1));
    await worker.close(1_000);
    // Otherwise, the leak check would report the timer of the pause.
    expect(state).to.include({ opened: 1, closed: 1 });
  });
});
