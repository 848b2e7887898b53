import { getEventListeners } from "node:events";
import { readFile } from "node:fs/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect } from "chai";
import { withDeadline } from "../../../src/platform/concurrency/async.ts";
import { eventually } from "../../support/eventually.ts";
import { listFiles } from "../../run/files.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

describe("work with a deadline", () => {
  const never = new AbortController().signal;
  /** Like a request: nothing but the signal ends it, and nothing but its listener knows the signal. */
  const untilAborted = (signal: AbortSignal): Promise<string> =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  const reasonOf = (work: Promise<unknown>): Promise<Error> =>
    work.then(
      () => expect.fail("It ended"),
      (thrown: Error) => thrown,
    );

  it("returns what the work returns, and leaves the outer signal", async () => {
    const { signal } = new AbortController();
    expect(await withDeadline(signal, 60_000, async () => "done")).to.equal("done");
    expect(getEventListeners(signal, "abort")).to.deep.equal([]);
  });

  it("aborts it after that time, whatever was garbage before", async () => {
    let thrown: Error | undefined;
    void reasonOf(withDeadline(never, 50, untilAborted)).then((reason) => (thrown = reason));
    await eventually(() => {
      collectGarbage();
      expect(thrown?.name).to.equal("TimeoutError");
    });
  });

  it("aborts it when the outer signal does, with its reason", async () => {
    const outer = new AbortController();
    const work = reasonOf(withDeadline(outer.signal, 60_000, untilAborted));
    outer.abort(new Error("stop"));
    expect((await work).message).to.equal("stop");
  });

  it("begins aborted if the outer signal is", async () => {
    const begun = await withDeadline(AbortSignal.abort(), 60_000, async ({ aborted }) => aborted);
    expect(begun).to.equal(true);
  });

  it("replaces AbortSignal.any, whose time limits Node 20 forgets", async () => {
    const files = await listFiles(["src"]);
    const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
    expect(
      files.filter((_file, index) => texts[index]?.includes("AbortSignal.any(")),
    ).to.deep.equal([]);
  });
});
