import { expect } from "chai";
import { ApiFault } from "../../../../web/rooms/http.ts";
import { createMemoryStore } from "../../../../web/rooms/recording/chunk-store.ts";
import { finishUpload, uploadPending } from "../../../../web/rooms/recording/uploader.ts";

const recording = { id: 5, owner: "me", chunks: 2, changedAtMs: 0 };

/** A server that first rejects with these statuses. */
function setUp(refusals: (number | ApiFault)[] = []) {
  const store = createMemoryStore();
  const calls: string[] = [];
  const answer = async (call: string): Promise<void> => {
    calls.push(call);
    const refusal = refusals.shift();
    if (refusal !== undefined) {
      throw typeof refusal === "number" ? new ApiFault(refusal) : refusal;
    }
  };
  const waits: number[] = [];
  const options = {
    store,
    api: {
      putChunk: (_id: number, { number }: { number: number }) => answer(`chunk ${number}`),
      finalizeRecording: (_id: number, chunks: number) => answer(`finalize ${chunks}`),
    },
    isCancelled: () => false,
    clock: { nowMs: () => 0, wait: async (waitMs: number) => void waits.push(waitMs) },
  };
  return { store, calls, waits, options };
}

const data = new Blob(["x"]);

describe("the upload of a recording", () => {
  it("sends the chunks in order, then completes, then deletes them", async () => {
    const { store, calls, options } = setUp();
    await store.add(recording, 1, data);
    await store.add(recording, 0, data);
    expect(await finishUpload(options, recording)).to.equal("done");
    expect(calls).to.deep.equal(["chunk 0", "chunk 1", "finalize 2"]);
    expect(await store.list("me")).to.deep.equal([]);
  });

  it("retries without a network, and loses nothing", async () => {
    const { store, calls, waits, options } = setUp([0, 503, 429]);
    await store.add(recording, 0, data);
    expect(await uploadPending(options, 5)).to.equal("done");
    expect(calls).to.deep.equal(["chunk 0", "chunk 0", "chunk 0", "chunk 0"]);
    expect(waits).to.have.length(3);
  });

  it("waits for the consent of a late participant", async () => {
    const { store, calls, options } = setUp([new ApiFault(409, "Reason consent")]);
    let asked = 0;
    await store.add(recording, 0, data);
    expect(await uploadPending({ ...options, onNoConsent: () => (asked += 1) }, 5)).to.equal(
      "done",
    );
    expect({ calls, asked }).to.deep.equal({ calls: ["chunk 0", "chunk 0"], asked: 1 });
  });

  it("stops if the server rejects it permanently", async () => {
    const { store, options } = setUp([404]);
    await store.add(recording, 0, data);
    expect(await finishUpload(options, recording)).to.equal("refused");
    expect(await store.list("me")).to.deep.equal([]);
  });

  it("keeps everything for the next page if this one is closed", async () => {
    const { store, options } = setUp();
    await store.add(recording, 0, data);
    expect(await finishUpload({ ...options, isCancelled: () => true }, recording)).to.equal(
      "cancelled",
    );
    expect(await store.list("me")).to.have.length(1);
    expect(await store.next(5)).to.include({ number: 0 });
  });
});
