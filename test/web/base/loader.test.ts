import { expect } from "chai";
import { createLoader, failedLoadCount, forgetFailures } from "../../../web/base/loader.ts";

/** Fails as often as requested. */
function aLoader(failures: number) {
  const state = { asked: 0 };
  const loader = createLoader(async () => {
    state.asked += 1;
    if (state.asked <= failures) {
      throw new Error("not there");
    }
    return "there";
  });
  return { loader, state };
}

function failureOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "none",
    (thrown: unknown) => (thrown as Error).message,
  );
}

describe("a loader", () => {
  afterEach(forgetFailures);

  it("loads once for concurrent callers", async () => {
    const { loader, state } = aLoader(0);
    expect(loader.value()).to.equal(undefined);
    expect(loader.load()).to.equal(loader.load());
    expect(await loader.load()).to.equal("there");
    expect([loader.value(), state.asked]).to.deep.equal(["there", 1]);
  });

  it("keeps a failure for rendering until it is retried", async () => {
    const { loader, state } = aLoader(1);
    const before = failedLoadCount();
    expect(await failureOf(loader.load())).to.equal("not there");
    expect(await failureOf(loader.load())).to.equal("not there");
    expect([state.asked, failedLoadCount()]).to.deep.equal([1, before + 1]);
    forgetFailures();
    expect(await loader.load()).to.equal("there");
    expect(failedLoadCount()).to.equal(0);
  });

  it("reports no failure of a preload, and retries on demand", async () => {
    const { loader, state } = aLoader(1);
    await loader.prefetch();
    expect(await loader.load()).to.equal("there");
    expect(state.asked).to.equal(2);
  });
});
