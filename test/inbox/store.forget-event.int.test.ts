import { expect } from "chai";
import { deleteInboxEvent, countRequests, insertRequests } from "../../src/inbox/store.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { useDatabase } from "../support/database.ts";

describe("deleting an event from inboxes", () => {
  const database = useDatabase();

  it("deletes every request with its webhook-id from the given inboxes only", async () => {
    const [own, second, other] = [1, 2, 3].map(() => randomIds.base62(22)) as [
      string,
      string,
      string,
    ];
    const eventId = randomIds.eventId();
    const add = (key: string, name: string, value: string) =>
      insertRequests(database.db, [
        {
          key,
          headers: [
            ["Host", eventId],
            [name, value],
          ],
          body: "{}",
          isVerified: null,
        },
      ]);
    const remove = (keys: string[]) => deleteInboxEvent(database.db, keys, { eventId, body: null });
    await add(own, "webhook-id", eventId);
    await add(own, "Webhook-Id", eventId);
    await add(own, "webhook-id", randomIds.eventId());
    await add(own, "x-other", eventId);
    await add(second, "webhook-id", eventId);
    await add(other, "webhook-id", eventId);
    expect(await remove([own, second])).to.equal(3);
    expect(await remove([own, second])).to.equal(0);
    expect(await remove([])).to.equal(0);
    expect(await countRequests(database.db, own)).to.equal(2);
    expect(await countRequests(database.db, other)).to.equal(1);
  });

  it("deletes tests, which have its body and another webhook-id, and no other bodies", async () => {
    const [own = "", other = ""] = [1, 2].map(() => randomIds.base62(22));
    const add = (key: string, body: string) =>
      insertRequests(database.db, [
        { key, headers: [["webhook-id", randomIds.eventId()]], body, isVerified: null },
      ]);
    await add(own, '{"event":"create"}');
    await add(own, '{"event":"update"}');
    await add(own, "");
    await add(other, '{"event":"create"}');
    const remove = (body: string | null) =>
      deleteInboxEvent(database.db, [own], { eventId: randomIds.eventId(), body });
    expect(await remove(null)).to.equal(0);
    expect(await remove('{"event":"create"}')).to.equal(1);
    expect(await countRequests(database.db, own)).to.equal(2);
    expect(await countRequests(database.db, other)).to.equal(1);
  });
});
