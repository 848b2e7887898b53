import { expect } from "chai";
import { hashToken } from "../../../src/accounts/identities.ts";
import { createSsoTokens } from "../../../src/accounts/service.ts";
import { findSessionByHash } from "../../../src/accounts/sessions/store.ts";
import { createOpenTicketSession } from "../../../src/accounts/sessions/ticket-sessions.ts";
import { randomIds } from "../../../src/platform/ids.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { inTransaction } from "../../../src/platform/db/transaction.ts";
import { useDatabase } from "../../support/database.ts";
import { anEnterprise, aUser } from "../../support/factories.ts";
import { untilWaiting } from "../../support/waiting.ts";

const hourMs = 3_600_000;

describe("a session that an sso_url opens", () => {
  const database = useDatabase();
  const waiting = (count?: number) => untilWaiting(database.db, count);
  const sso = createSsoTokens({ ids: randomIds });

  async function anAgent() {
    const { db } = database;
    const { id: enterpriseId } = await anEnterprise(db);
    const { id: userId } = await aUser(db, { enterprise_id: enterpriseId });
    return { enterpriseId, userId };
  }

  /** A browser with a cookie, in which agents open their links. */
  function aBrowser() {
    const open = createOpenTicketSession({
      db: database.db,
      ids: randomIds,
      baseUrl: "https://video.example.com",
    });
    let cookie: string | undefined;
    return {
      open: async (token: string, ticketId: number): Promise<number> => {
        const call = { token, ticketId, cookieHeader: cookie, userAgent: "x", isEmbedded: false };
        const cookies = await open(call);
        cookie = cookies[0]?.split(";")[0] ?? cookie;
        return cookies.length;
      },
      /** The tickets that the browser's session reaches; undefined if it has none. */
      reach: async () => {
        const id = cookie?.split("=")[1] ?? "";
        return (await findSessionByHash(database.db, hashToken(id)))?.caller.onlyTicketIds;
      },
    };
  }

  const issue = (
    agent: { enterpriseId: number; userId: number },
    ticketId: number,
    lifetimeMs = 24 * hourMs,
  ): Promise<string> =>
    inTransaction(database.db, (trx) =>
      sso.issueSsoToken(trx, {
        ...agent,
        ticketId,
        expiresAt: new Date(Date.now() + lifetimeMs),
      }),
    );

  /** Lets time pass for the tickets of all sessions, and for the sessions. */
  const age = async (ms: number): Promise<void> => {
    const bindings = { ms };
    await database.db.raw(
      `WITH tickets AS (UPDATE browser_session_tickets
         SET ends_at = ends_at - make_interval(secs => :ms / 1000.0))
       UPDATE browser_sessions SET expires_at = expires_at - make_interval(secs => :ms / 1000.0)`,
      bindings,
    );
  };

  it("reaches a second ticket by the link of the second, with the same cookie", async () => {
    const [agent, browser] = [await anAgent(), aBrowser()];
    expect(await browser.open(await issue(agent, 1), 1)).to.equal(1);
    expect(await browser.open(await issue(agent, 2), 2)).to.equal(0);
    expect(await browser.reach()).to.deep.equal([1, 2]);
  });

  it("is one of its own for another user, and for a browser without a cookie", async () => {
    const [agent, browser, other] = [await anAgent(), aBrowser(), aBrowser()];
    await browser.open(await issue(agent, 1), 1);
    await other.open(await issue(agent, 2), 2);
    expect([await browser.reach(), await other.reach()]).to.deep.equal([[1], [2]]);
    expect(await browser.open(await issue(await anAgent(), 3), 3)).to.equal(1);
    expect(await browser.reach()).to.deep.equal([3]);
  });

  it("is not opened by the token of another ticket", async () => {
    const [agent, browser] = [await anAgent(), aBrowser()];
    await browser.open(await issue(agent, 1), 1);
    expect(await browser.open(await issue(agent, 2), 3)).to.equal(0);
    expect(await browser.reach()).to.deep.equal([1]);
  });

  it("reaches each ticket until the end of its token, at most twelve hours", async () => {
    const [agent, browser] = [await anAgent(), aBrowser()];
    await browser.open(await issue(agent, 1, hourMs), 1);
    await browser.open(await issue(agent, 2), 2);
    await age(hourMs);
    expect(await browser.reach()).to.deep.equal([2]);
    await browser.open(await issue(agent, 3), 3);
    await age(11 * hourMs);
    expect(await browser.reach()).to.deep.equal([3]);
    await age(hourMs);
    expect(await browser.reach()).to.equal(undefined);
  });

  it("loses a ticket that is closed, and ends with its last one", async () => {
    const [agent, browser] = [await anAgent(), aBrowser()];
    const close = (ticketId: number) =>
      inTransaction(database.db, (trx) => sso.revokeSsoTokens(trx, { ...agent, ticketId }));
    await browser.open(await issue(agent, 1, hourMs), 1);
    await browser.open(await issue(agent, 2), 2);
    await browser.open(await issue(agent, 3), 3);
    await close(2);
    expect(await browser.reach()).to.deep.equal([1, 3]);
    await age(hourMs);
    await close(3);
    expect(await browser.reach()).to.equal(undefined);
    expect(
      await rowsOf(database.db, "SELECT FROM browser_sessions WHERE user_id = ?", [agent.userId]),
    ).to.deep.equal([]);
  });

  it("does not reach a closed ticket again when the others end", async () => {
    const [agent, browser] = [await anAgent(), aBrowser()];
    await browser.open(await issue(agent, 1), 1);
    await browser.open(await issue(agent, 2, hourMs), 2);
    await inTransaction(database.db, (trx) => sso.revokeSsoTokens(trx, { ...agent, ticketId: 1 }));
    expect(await browser.reach()).to.deep.equal([2]);
    await age(hourMs);
    expect(await browser.reach()).to.equal(undefined);
  });

  it("keeps the ticket of a session of an older version when another is opened", async () => {
    const [agent, browser] = [await anAgent(), aBrowser()];
    await browser.open(await issue(agent, 1, hourMs), 1);
    await database.db("browser_session_tickets").delete();
    await browser.open(await issue(agent, 2), 2);
    expect(await browser.reach()).to.deep.equal([1, 2]);
    await age(hourMs);
    expect(await browser.reach()).to.deep.equal([2]);
  });

  it("reaches its ticket if a process of an older version stored it", async () => {
    const [agent, browser] = [await anAgent(), aBrowser()];
    await browser.open(await issue(agent, 1), 1);
    await database.db("browser_session_tickets").delete();
    expect(await browser.reach()).to.deep.equal([1]);
    await inTransaction(database.db, (trx) => sso.revokeSsoTokens(trx, { ...agent, ticketId: 1 }));
    expect(await browser.reach()).to.equal(undefined);
  });

  it("is not opened while its token is being revoked", async () => {
    const [agent, browser] = [await anAgent(), aBrowser()];
    const token = await issue(agent, 1);
    let opening: Promise<number> | undefined;
    await inTransaction(database.db, async (trx) => {
      await sso.revokeSsoTokens(trx, { ...agent, ticketId: 1 });
      opening = browser.open(token, 1);
      await waiting();
    });
    expect(await opening).to.equal(0);
    expect(await browser.reach()).to.equal(undefined);
  });
});
