import { expect } from "chai";
import { useDatabase } from "../../support/database.ts";
import { stampOf, useExplainApi, type Explained } from "../../support/explain-api.ts";
import { fanOutAll } from "../../support/ledger.ts";

describe("explaining an event", () => {
  const database = useDatabase();
  const api = useExplainApi(database);

  it("returns the event and all webhooks of the enterprise, in order", async () => {
    const first = await api.subscribe({ name: "CRM" });
    const second = await api.subscribe({ filters: ["media.*"] });
    const event = await api.happen({ object: "ticket", event: "update", object_id: "77" });
    await fanOutAll(database.db);
    const { body } = await api.call("GET", `/webhooks/explain?event_id=${event.event_id}`);
    expect(body["event"]).to.deep.equal({
      event_id: event.event_id,
      webhook_id: event.event_id,
      object: "ticket",
      event: "update",
      event_type: null,
      object_id: 77,
      time: stampOf(event.occurred_at),
      expunged: null,
      fan_out: "fanned_out",
      dead_letter_reason: null,
      set_aside_reason: null,
    });
    const webhooks = body["webhooks"] as Explained[];
    expect(webhooks.map((one) => [one["webhook"], one["verdict"]])).to.deep.equal([
      [first, "in_flight"],
      [second, "filters"],
    ]);
    expect(webhooks[0]).to.include({ name: "CRM", deleted: false });
    const byOldName = await api.call("GET", `/webhooks/explain?event=${event.event_id}`);
    expect(byOldName.body).to.deep.equal(body);
    const query = `event_id=${event.event_id}&object=media&objectId=1&time=0`;
    const withOthers = await api.call("GET", `/webhooks/explain?${query}`);
    expect(withOthers.body).to.deep.equal(body);
  });

  describe("by object and time", () => {
    const ask = (query: string) => api.call("GET", `/webhooks/explain?${query}`);

    it("returns the nearest event, and lists the others within five minutes", async () => {
      await api.subscribe();
      const at = Date.now();
      const make = (seconds: number) =>
        api.happen({ object_id: "555", occurred_at: new Date(at + seconds * 1_000) });
      const near = await make(-20);
      const far = await make(200);
      await make(-400);
      await api.happen({ object_id: "556" });
      const unix = Math.floor(at / 1_000);
      const { body } = await ask(`object=ticket&objectId=555&time=${unix}`);
      expect(body["event"]["event_id"]).to.equal(near.event_id);
      const ids = (body["candidates"] as Explained[]).map((one) => one["event_id"]);
      expect(ids).to.deep.equal([near.event_id, far.event_id]);
      const iso = encodeURIComponent(stampOf(new Date(at)));
      const same = await ask(`object=ticket&objectId=555&time=${iso}`);
      expect(same.body["event"]["event_id"]).to.equal(near.event_id);
    });

    it("reports missing and invalid parameters", async () => {
      const none = await ask("object=ticket&objectId=5&time=1795216792");
      expect(none.status).to.equal(404);
      expect(none.body["detail"]).to.contain("within five minutes of 2026-11-20");
      expect((await ask("")).body["errors"]).to.deep.equal([
        { field: "event_id", reason: "required" },
      ]);
      expect((await ask("object=ticket")).body["errors"][0].field).to.equal("objectId");
      expect((await ask("object=ticket&objectId=1")).body["errors"][0].field).to.equal("time");
      const wrong = await ask("object=ticket&objectId=1&time=yesterday");
      expect(wrong.body["errors"]).to.deep.equal([{ field: "time", reason: "format" }]);
    });
  });

  it("does not find events of another enterprise", async () => {
    await api.subscribe();
    const event = await api.happen({ object_id: "31" });
    const stranger = await api.asStranger();
    const byId = await stranger("GET", `/webhooks/explain?event_id=${event.event_id}`);
    expect(byId.status).to.equal(404);
    const unix = Math.floor(Date.now() / 1_000);
    const query = `object=ticket&objectId=31&time=${unix}`;
    expect((await stranger("GET", `/webhooks/explain?${query}`)).status).to.equal(404);
    expect((await api.call("GET", `/webhooks/explain?${query}`)).status).to.equal(200);
  });
});
