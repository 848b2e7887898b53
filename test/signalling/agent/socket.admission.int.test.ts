import { expect } from "chai";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { inTransaction } from "../../../src/platform/db/transaction.ts";
import { eventually } from "../../support/eventually.ts";
import { aTenant, tokenFor } from "../../support/tenant.ts";
import { useSignalling } from "../../support/signalling-fixture.ts";
import {
  aMessage,
  authOf,
  connect,
  connectAgent,
  dial,
  hear,
  refusalOf,
} from "../../support/signalling.ts";

function kindOf(ack: { error?: { kind: string } }): string {
  return ack.error?.kind ?? "ok";
}

describe("admission to a socket", () => {
  const fixture = useSignalling({ times: { goneMs: 10_000 } });
  const { database } = fixture;
  const presencesOf = (userId: number) =>
    database.db("presences").where({ user_id: userId }).select("is_closed", "state");

  it("is cancelled if the connection is lost before it completes", async () => {
    const tenant = await aTenant(database.db);
    const { agent } = tenant.members;
    const waiting = () =>
      rowsOf(
        database.db,
        `SELECT FROM pg_stat_activity WHERE datname = ? AND wait_event_type = 'Lock'`,
        [database.name],
      );
    await inTransaction(database.db, async (trx) => {
      await trx("users").where({ id: agent.id }).forUpdate().select("id");
      const socket = dial(fixture.node.url, "/agent", { auth: authOf(tenant, agent) });
      await eventually(async () => (await waiting()).length > 0);
      socket.io.engine.close();
    });
    await eventually(async () => {
      expect(await presencesOf(agent.id)).to.deep.equal([{ is_closed: true, state: "online" }]);
    });
  });

  it("allows at most forty connections, even concurrently", async () => {
    const tenant = await aTenant(database.db);
    const auth = authOf(tenant, tenant.members.agent);
    const settled = await Promise.allSettled(
      Array.from({ length: 50 }, () => connect(fixture.node.url, "/agent", { auth })),
    );
    expect(settled.filter(({ status }) => status === "fulfilled")).to.have.length(40);
    expect(await refusalOf(fixture.node.url, "/agent", { auth })).to.equal("quota_reached");
  });

  it("allows four attempts per connection", async () => {
    const auth = authOf(fixture.tenant, { ...fixture.tenant.members.agent, token: "x" });
    const refusals = async () =>
      Number(
        /signalling_refusals_total\{namespace="\/agent",reason="bad_token"\} (\d+)/u.exec(
          await fixture.node.metrics(),
        )?.[1] ?? 0,
      );
    const before = await refusals();
    const socket = dial(fixture.node.url, "/agent", { auth });
    let isClosed = false;
    socket.io.on("open", () => {
      const { engine } = socket.io;
      engine.on("close", () => (isClosed = true));
      for (let sent = 0; sent < 50; sent += 1) {
        engine.write(`0/agent,${JSON.stringify(auth)}`);
      }
    });
    await eventually(() => isClosed);
    await connectAgent(fixture.node, fixture.tenant, fixture.tenant.members.admin);
    expect((await refusals()) - before).to.be.lessThan(5);
  });

  it("finds a state whose wake-up was lost, by polling", async () => {
    const { colleague } = fixture.tenant;
    const client = await connectAgent(fixture.node, fixture.tenant, colleague);
    await client.ask("hello");
    await database.db("presences").where({ user_id: colleague.id }).update({ state: "offline" });
    expect(await hear(client, "state")).to.deep.equal({ state: "offline" });
  });

  it("restores the hidden state if no other page of the user is online", async () => {
    const { manager } = fixture.tenant.members;
    const hidden = await connectAgent(fixture.node, fixture.tenant, manager, { state: "offline" });
    expect((await hidden.ask("hello")).state).to.equal("offline");
  });

  it("debounces repeated arrivals and departures", async () => {
    const client = await connectAgent(
      fixture.node,
      fixture.tenant,
      fixture.tenant.members.superadmin,
    );
    const acks = await Promise.all(
      Array.from({ length: 30 }, () => client.ask("presence", { state: "online" })),
    );
    expect(acks.map(kindOf).filter((kind) => kind === "rate_limited").length).to.be.greaterThan(5);
  });

  it("is kept however long the message search takes", async () => {
    const { agent } = fixture.tenant.members;
    const client = await connectAgent(fixture.node, fixture.tenant, agent);
    await client.ask("hello");
    const seenAt = async (): Promise<number> => {
      const row = await database
        .db("presences")
        .where({ user_id: agent.id })
        .max("seen_at")
        .first();
      return row?.["max"].getTime();
    };
    await inTransaction(database.db, async (trx) => {
      await trx.raw("LOCK TABLE chat_messages IN ACCESS EXCLUSIVE MODE");
      const locked = Date.now();
      await eventually(async () => (await seenAt()) > locked + 1_500);
    });
  });

  it("resends no message that a colleague has already received", async () => {
    const tenant = await aTenant(database.db);
    const sender = await connectAgent(fixture.node, tenant, tenant.members.agent);
    const written = aMessage("once");
    const box = { kind: "user", destId: tenant.colleague.id };
    await sender.ask("send", { ...box, ...written });
    await hear(sender, "message");
    const late = await connectAgent(fixture.node, tenant, tenant.colleague);
    await late.ask("hello");
    expect(kindOf(await sender.ask("send", { ...box, ...written }))).to.equal("ok");
    await sender.ask("send", { ...box, ...aMessage("the next one") });
    await hear<{ text: string }>(late, "message", ({ text }) => text === "the next one");
    const events = late.of<{ text: string }>("message").map(({ text }) => text);
    expect(events).to.deep.equal(["the next one"]);
  });
});

describe("of an address with too many failures", () => {
  const fixture = useSignalling({ environment: { RATE_LIMIT_GUEST: "3" } });
  const { database } = fixture;

  it("is rejected; valid sign-ins of an office, or failures of another page, do not count", async () => {
    const auth = authOf(fixture.tenant, fixture.tenant.members.agent);
    const bad = { ...auth, token: "x" };
    for (let loads = 0; loads < 10; loads += 1) {
      const checked = await fetch(`${fixture.node.url}/api/checkUserToken`, {
        method: "POST",
        body: new URLSearchParams({ ...auth, userId: String(auth.userId) }),
      });
      expect(checked.status).to.equal(200);
      const foreign = { auth: bad, origin: "https://evil.example" };
      expect(await refusalOf(fixture.node.url, "/agent", foreign)).to.equal("forbidden");
      expect(await refusalOf(fixture.node.url, "/rtc", foreign)).to.equal("forbidden");
    }
    const client = await connect(fixture.node.url, "/agent", { auth });
    expect(client.socket.connected).to.equal(true);
    for (const kind of ["bad_token", "bad_token", "bad_token", "rate_limited"]) {
      expect(await refusalOf(fixture.node.url, "/agent", { auth: bad })).to.equal(kind);
    }
    const token = await tokenFor(database.db, fixture.tenant.members.agent);
    const other = { auth: { ...auth, token } };
    expect(await refusalOf(fixture.node.url, "/agent", other), "its address").to.equal(
      "rate_limited",
    );
  });
});

describe("of a user who may not use the agent module", () => {
  const fixture = useSignalling({ environment: { RATE_LIMIT_API: "3" } });

  it("is rate-limited as for REST", async () => {
    const auth = authOf(fixture.tenant, fixture.tenant.members.viewer);
    const kinds = [];
    for (let tries = 0; tries < 4; tries += 1) {
      kinds.push(await refusalOf(fixture.node.url, "/agent", { auth }));
    }
    expect(kinds).to.deep.equal(["forbidden", "forbidden", "forbidden", "rate_limited"]);
  });
});
