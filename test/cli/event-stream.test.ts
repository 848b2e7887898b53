import { expect } from "chai";
import { anyone, startCli } from "../support/cli-shell.ts";
import { eventually } from "../support/eventually.ts";

/** A stream that ignores the abort signal, as when `fetch` has already returned. */
function unabortableStream(): { fetch: typeof fetch; isCancelled: () => boolean } {
  let isCancelled = false;
  const ready = new TextEncoder().encode('id: Nw\nevent: ready\ndata: {"next":"Nw"}\n\n');
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(ready),
    cancel: () => {
      isCancelled = true;
    },
  });
  const headers = { "content-type": "text/event-stream" };
  return { fetch: async () => new Response(body, { headers }), isCancelled: () => isCancelled };
}

describe("following a webhook", () => {
  it("ends at Ctrl-C after any idle time, and closes the connection", async () => {
    const { fetch, isCancelled } = unabortableStream();
    const tail = startCli(["events", "tail", "--webhook", "7"], { env: anyone, fetch });
    await eventually(async () => expect(tail.err).to.contain("Listening to webhook 7"));
    tail.interrupt();
    expect(await tail.done).to.equal(130);
    expect(isCancelled()).to.equal(true);
  });
});
