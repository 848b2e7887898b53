import { once } from "node:events";
import { expect } from "chai";
import { createEventStream, type EventStreamDeps } from "../../../src/deliveries/pull/stream.ts";
import type { PulledEvent } from "../../../src/pipeline/ledger/queries/pull.ts";
import { createSequenceWatch } from "../../../src/deliveries/pull/watch.ts";
import { eventually } from "../../support/eventually.ts";

const silent = { info: () => undefined, warn: () => undefined } as never;
const perPage = 10;
const bodyBytes = 20_000;

function at(sequence: number): PulledEvent {
  return {
    ...{ sequence, state: "available", attempts: 0, isReplay: false, object: "ticket" },
    ...{ occurredAt: new Date(0), eventId: `evt_${sequence}`, event: "update", eventType: null },
    ...{ objectId: "1", body: "x".repeat(bodyBytes) },
  };
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

describe("an event stream", () => {
  /** A stream of endless events. */
  const open = (more: Partial<EventStreamDeps> = {}) => {
    const counted = { pages: 0, gone: 0 };
    const controller = new AbortController();
    const watch = createSequenceWatch({
      readLastSequences: async () => new Map(),
      log: silent,
      stopping: new AbortController().signal,
    });
    const stream = createEventStream(
      {
        watch,
        readPage: async (after) => {
          counted.pages += 1;
          await turns(1); // asynchronous, like a database
          const events = Array.from({ length: perPage }, (_, index) => at(after + index + 1));
          return { events, skipped: [], next: after + perPage, hasMore: true };
        },
        mayRead: async () => true,
        controller: controller,
        onGone: () => {
          counted.gone += 1;
        },
        log: silent,
        times: { heartbeatMs: 100, checkMs: 60_000, mostMs: 60_000 },
        ...more,
      },
      { subscriptionId: 7, after: 0 },
    );
    return { stream, over: controller, counted };
  };
  it("reads one page and holds a small buffer while its client does not read", async () => {
    const { stream, counted } = open();
    await eventually(() => stream.readableLength > 0);
    await turns(200);
    expect(counted.pages).to.equal(1);
    expect(stream.readableLength).to.be.below(64 * 1024 + 2 * bodyBytes);
    stream.destroy();
    await once(stream, "close");
    expect(counted.gone).to.equal(1);
  });

  it("resumes with its client, and stops with it", async () => {
    const { stream, counted } = open();
    let bytes = 0;
    stream.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
    });
    await eventually(() => bytes > 5 * perPage * bodyBytes);
    stream.pause();
    await turns(20);
    const { pages } = counted;
    await turns(200);
    expect(counted.pages).to.equal(pages);
    stream.destroy();
    await once(stream, "close");
  });

  it("rereads a page that a slow client left too long, and omits nothing", async () => {
    const { stream, counted } = open({
      times: { heartbeatMs: 60_000, checkMs: 20, mostMs: 60_000 },
    });
    await eventually(() => stream.readableLength > 0);
    const openedAt = performance.now();
    await eventually(() => performance.now() - openedAt > 30);
    expect(counted.pages).to.equal(1);
    let text = "";
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    await eventually(() => text.length > 3 * perPage * bodyBytes);
    stream.destroy();
    await once(stream, "close");
    const sequences = [...text.matchAll(/"sequence":(\d+)/gu)].map(([, one]) => Number(one));
    expect(sequences).to.deep.equal(sequences.map((_, index) => index + 1));
    expect(sequences.length / perPage).to.be.below(counted.pages);
  });

  it("sends a slow client hardly anything after its permission ended", async () => {
    let mayRead = true;
    const { stream } = open({
      mayRead: async () => mayRead,
      times: { heartbeatMs: 100, checkMs: 20, mostMs: 60_000 },
    });
    await eventually(() => stream.readableLength > 0);
    mayRead = false;
    const revokedAt = performance.now();
    await eventually(() => performance.now() - revokedAt > 30);
    let text = "";
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    await once(stream, "end");
    expect(text.length).to.be.below(64 * 1024 + 2 * bodyBytes);
  });

  it("ends on time even if the client does not read", async () => {
    const { stream, over, counted } = open();
    await eventually(() => stream.readableLength > 0);
    over.abort();
    await eventually(() => stream.destroyed);
    expect(counted.gone).to.equal(1);
  });

  it("ends if a page cannot be read, so that its client reconnects", async () => {
    const { stream } = open({
      readPage: async () => {
        throw new Error("the database is away");
      },
    });
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    await once(stream, "end");
    expect(Buffer.concat(chunks).toString()).to.match(/^retry: 2000\nid: \S+\nevent: ready\n/u);
  });
});
