import { expect } from "chai";
import { vacuum } from "../../bench/support/many-tickets.ts";
import { rowsOf, type Trx } from "../../src/platform/db/pool.ts";
import { listMessages, type MessageFilter } from "../../src/messages/store.ts";
import { useDatabase } from "../support/database.ts";
import { explain, mostRead, mostReadInVain } from "../support/explain.ts";
import { aCaller } from "../support/webhook-api.ts";

const count = 20_000;

describe("a list of many messages", function () {
  this.timeout(60_000);
  const database = useDatabase();
  let enterpriseId: number;
  before("fill the enterprise", async () => {
    ({ enterpriseId } = await aCaller(database.db));
    await rowsOf(
      database.db,
      `INSERT INTO messages (enterprise_id, channel, uid, recipient, sender, subject, text, status,
         created_at, modified_at)
       SELECT ?, 'email', gen_random_uuid(), 'person-' || n % 5000 || '@example.org',
         'sender@example.org', 'Subject', repeat('word ', 100), 'sent', now() - n * interval '1 minute', now()
       FROM generate_series(1, ?::int) AS n`,
      [enterpriseId, count],
    );
    await vacuum(database.db, "messages");
  });

  // With an offset, an empty page does not reveal the total, so it is counted.
  const explainList = (filter: Partial<MessageFilter>) =>
    explain(database.db, (db: Trx) =>
      listMessages(db, enterpriseId, {
        channel: "email",
        statuses: [],
        to: undefined,
        ticketId: undefined,
        since: undefined,
        until: undefined,
        orderBy: "created_at",
        order: "desc",
        limit: 10,
        offset: 1,
        ...filter,
      }),
    );

  it("counts the total with an index-only scan", async () => {
    const plan = await explainList({});
    expect(plan).to.include("Index Scan Backward using messages_of_channel");
    expect(plan).to.match(/Index Only Scan using messages_of_channel /u);
    expect(plan).to.include("Heap Fetches: 0");
  });

  it("finds the mails to an address by their index", async () => {
    const plan = await explainList({ to: "person-77@example.org" });
    expect(mostRead(plan)).to.be.at.most(4);
    expect(mostReadInVain(plan)).to.equal(0);
    expect(plan.match(/messages_email_recipient/gu)).to.have.length(2);
  });
});
