import { expect } from "chai";
import { anyone, startCli, urlOf } from "../support/cli-shell.ts";
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

  it("signs in again if the platform could not be reached", async () => {
    let isAway = true;
    const { fetch } = unabortableStream();
    const tail = startCli(["events", "tail", "--webhook", "7"], {
      env: { SIGHTLINE_LOGIN: "admin@demo.example", SIGHTLINE_PASSWORD: "a secret" },
      fetch: async (url, init) => {
        if (isAway) {
          isAway = false;
          throw new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } });
        }
        return urlOf(url).pathname === "/api/token"
          ? Response.json({ access_token: "t1" })
          : fetch(url, init);
      },
    });
    await eventually(async () => expect(tail.err).to.contain("Listening to webhook 7"));
    expect(tail.err).to.contain("cannot be reached: ECONNREFUSED. Reconnecting in 0.5 s.");
    tail.interrupt();
    await tail.done;
  });

  it("is interrupted by Ctrl-C while a sign-in hangs", async () => {
    let ask = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      ask = resolve;
    });
    const tail = startCli(["events", "tail", "--webhook", "7"], {
      env: { SIGHTLINE_LOGIN: "admin@demo.example", SIGHTLINE_PASSWORD: "a secret" },
      fetch: (_url, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener("abort", () => reject(init.signal?.reason as Error));
          ask();
        }),
    });
    await asked;
    tail.interrupt();
    expect(await tail.done).to.equal(130);
  });

  it("pauses briefly after each connection that worked, however it ended", async () => {
    const ready = new TextEncoder().encode('id: Nw\nevent: ready\ndata: {"next":"Nw"}\n\n');
    const tail = startCli(["events", "tail", "--webhook", "7"], {
      env: anyone,
      fetch: async () => {
        let isSent = false;
        const body = new ReadableStream<Uint8Array>({
          pull: (controller) => {
            if (isSent) {
              controller.error(new TypeError("terminated"));
            } else {
              isSent = true;
              controller.enqueue(ready);
            }
          },
        });
        return new Response(body, { headers: { "content-type": "text/event-stream" } });
      },
    });
    const pauses = () =>
      [...tail.err.matchAll(/Reconnecting in ([\d.]+) s/gu)].map((one) => one[1]);
    await eventually(async () => expect(pauses()).to.have.length(3));
    expect(pauses()).to.deep.equal(["0.5", "0.5", "0.5"]);
    tail.interrupt();
    await tail.done;
  });
});
