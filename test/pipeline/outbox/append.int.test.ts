import { expect } from "chai";
import { settings } from "../../../src/config/settings.ts";
import { problemCatalogue, Problem } from "../../../src/contracts/problems.ts";
import { sessionEventCodes } from "../../../src/contracts/session-events.ts";
import { createOutbox, minMaxBytes } from "../../../src/pipeline/outbox/append.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { inTransaction } from "../../../src/platform/db/transaction.ts";
import { randomIds } from "../../../src/platform/ids.ts";
import { createTestClock } from "../../support/clock.ts";
import { useDatabase } from "../../support/database.ts";
import { anEnterprise } from "../../support/factories.ts";
import { aTicketEvent } from "../../support/pipeline.ts";

describe("the outbox", () => {
  const database = useDatabase();
  let woken = 0;
  const outboxOf = (maxBytes: number = settings.EVENT_MAX_BYTES.default) =>
    createOutbox({
      ids: randomIds,
      clock: createTestClock(),
      wake: () => {
        woken += 1;
      },
      faultPoint: () => undefined,
      maxBytes,
    });
  const count = async () =>
    (
      await rowsOf(
        database.db,
        `SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM outbox) AS outbox,
           (SELECT count(*) FROM enterprises WHERE name = 'changed') AS changed`,
      )
    )[0];

  beforeEach(async () => {
    await rowsOf(database.db, "TRUNCATE events, outbox");
    woken = 0;
  });

  /** A use case: a change and its event in one transaction. */
  const change = async (text: string, maxBytes?: number) => {
    const { id } = await anEnterprise(database.db);
    await inTransaction(database.db, async (trx) => {
      await rowsOf(trx, "UPDATE enterprises SET name = 'changed' WHERE id = ?", [id]);
      const small = aTicketEvent(id, 1);
      await outboxOf(maxBytes).append(trx, [small, { ...aTicketEvent(id, 12), props: { text } }]);
    });
    return id;
  };
  const bodyBytes = async () =>
    (
      await rowsOf<{ bytes: number }>(
        database.db,
        "SELECT octet_length(body) AS bytes FROM events ORDER BY id DESC LIMIT 1",
      )
    )[0]?.bytes ?? 0;

  it("accepts a body up to the limit, and refuses one more byte together with the change", async () => {
    await change("é".repeat(100), 100_000);
    const least = await bodyBytes();
    await change(`é${"é".repeat(99)}`, least);
    const before = await count();
    const refused = await change(`${"é".repeat(100)}x`, least).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(Problem);
    const { kind, message } = refused as Problem;
    expect(problemCatalogue[kind].status).to.equal(413);
    expect(message)
      .to.contain("ticket 12")
      .and.to.contain(`${least + 1} bytes`);
    expect(message).to.contain(String(least)).and.to.not.contain("ééé");
    expect(await count()).to.deep.equal(before);
  });

  it("allows 256 KB by default, and wakes no relay for a rejected event", async () => {
    await change("x".repeat(262_000));
    expect(await bodyBytes()).to.be.within(262_000, 262_144);
    const wakes = woken;
    const refused = await change("x".repeat(262_144)).catch((error: Problem) => error.kind);
    expect(refused).to.equal("too_large");
    expect(woken).to.equal(wakes);
  });

  it("uses the configured limits", () => {
    expect(settings.EVENT_MAX_BYTES).to.include({ minimum: minMaxBytes, default: 262_144 });
  });

  it("accepts any text recognised in a picture, even with the smallest limit", async () => {
    const { id } = await anEnterprise(database.db);
    for (const character of ["\u0001", "\ud800", "漢", '"']) {
      const props = {
        eventType: "media.OCRDone",
        eventCode: sessionEventCodes["media.OCRDone"],
        ticketId: Number.MAX_SAFE_INTEGER,
        conversationId: Number.MAX_SAFE_INTEGER,
        text: character.repeat(10_000),
      };
      await inTransaction(database.db, (trx) =>
        outboxOf(minMaxBytes).append(trx, [
          { ...aTicketEvent(id, 1), object: "conversationevent", event: "create", props },
        ]),
      );
    }
    expect(await count()).to.include({ events: 4 });
  });
});
