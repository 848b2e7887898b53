import type { Readable } from "node:stream";
import { expect } from "chai";
import { createOutbox, minMaxBytes } from "../../src/pipeline/outbox/append.ts";
import { createSessionEvents } from "../../src/session-events/service.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { createCustomerActions } from "../../src/tickets/customer.ts";
import { createTestClock } from "../support/clock.ts";
import { useDatabase } from "../support/database.ts";
import { tinyPng, useMedia } from "../support/media.ts";
import { aTicketRow } from "../support/media-rows.ts";
import { eventsAbout } from "../support/tickets.ts";

/** A page full of the character with the longest JSON encoding. */
const endless = "\u0001".repeat(200_000);

describe("a picture with more text than a webhook may carry", () => {
  const database = useDatabase();
  const clock = createTestClock();
  const wake = (): void => undefined;
  let unread: Readable | undefined;
  const api = useMedia(database, {
    ocrEngine: {
      read: async (order) => {
        unread = order.stream;
        return { kind: "text", text: endless };
      },
    },
    get tickets() {
      const outbox = createOutbox({
        ...{ ids: randomIds, clock, wake, faultPoint: wake },
        maxBytes: minMaxBytes,
      });
      return createCustomerActions({
        clock,
        timeline: createSessionEvents({ db: database.db }),
        outbox,
      });
    },
  });

  it("is truncated to the first 10,000 characters", async () => {
    const place = await aTicketRow(database.db, api.fixture);
    const { body } = await api.upload({ data: tinyPng }, { ticketId: place.id });
    const id = body.id as number;
    expect((await api.call(`POST /medias/${id}/ocr`, { as: api.fixture.agent })).status).to.equal(
      202,
    );
    expect(await api.runTask("media.ocr", id)).to.deep.equal({ kind: "done" });
    const bodies = (await eventsAbout(database.db, place.id)).filter(
      ({ props }) => props["eventType"] === "media.OCRDone",
    );
    expect(bodies.map(({ props }) => props["text"])).to.deep.equal([endless.slice(0, 10_000)]);
    expect(unread?.destroyed, "the file is closed").to.equal(true);
  });
});
