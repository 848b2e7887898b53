import { expect } from "chai";
import {
  createKnownClients,
  deleteOldClients,
  forgetClients,
} from "../../../src/accounts/sign-in/throttling.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { inTransaction } from "../../../src/platform/db/transaction.ts";
import { useDatabase } from "../../support/database.ts";
import { anEnterprise, aUser, type UserRow } from "../../support/factories.ts";
import { testKey } from "../../support/secret-box.ts";

describe("known clients", () => {
  const database = useDatabase();
  const known = createKnownClients(testKey);
  let user: UserRow;
  let owner: { enterpriseId: number; userId: number };
  beforeEach(async () => {
    const enterprise = await anEnterprise(database.db);
    user = await aUser(database.db, { enterprise_id: enterprise.id });
    owner = { enterpriseId: enterprise.id, userId: user.id };
  });

  const remember = (network: string, browser?: string): Promise<void> =>
    inTransaction(database.db, (trx) => known.remember(trx, owner, { network, browser }));
  const find = (network: string, browser?: string, login = user.login) =>
    known.find(database.db, login, { network, browser });
  const age = (days: number) =>
    database.db.raw(
      "UPDATE known_clients SET seen_at = now() - make_interval(days => ?) WHERE user_id = ?",
      [days, user.id],
    );
  const rows = () =>
    rowsOf<{ hash: Buffer; seen_at: Date }>(
      database.db,
      "SELECT hash, seen_at FROM known_clients WHERE user_id = ?",
      [user.id],
    );

  it("are matched by browser first, then by network, case-insensitively for the login", async () => {
    await remember("203.0.113.9", "chrome");
    expect(await find("203.0.113.9", "chrome")).to.equal("browser");
    expect(await find("203.0.113.9", "other")).to.equal("network");
    expect(await find("203.0.113.9", undefined, user.login.toUpperCase())).to.equal("network");
    expect(await find("198.51.100.1", "chrome")).to.equal("browser");
    expect(await find("198.51.100.1", "other")).to.equal(undefined);
    expect(await find("chrome", "203.0.113.9")).to.equal(undefined);
  });

  it("are known only for the user who signed in", async () => {
    await remember("203.0.113.9");
    const other = await aUser(database.db, { enterprise_id: owner.enterpriseId });
    expect(await find("203.0.113.9", undefined, other.login)).to.equal(undefined);
    expect(await find("203.0.113.9", undefined, "nobody")).to.equal(undefined);
  });

  it("are stored as a keyed hash", async () => {
    await remember("203.0.113.9");
    const other = createKnownClients(Buffer.alloc(32, 8));
    const client = { network: "203.0.113.9" };
    expect(await other.find(database.db, user.login, client)).to.equal(undefined);
  });

  it("expire 90 days after the last sign-in, with the precision of a day", async () => {
    await remember("203.0.113.9");
    await age(89);
    expect(await find("203.0.113.9")).to.equal("network");
    await remember("203.0.113.9");
    await age(89);
    expect(await find("203.0.113.9")).to.equal("network");
    await deleteOldClients(database.db);
    expect(await rows()).to.have.length(1);
    await age(90);
    expect(await find("203.0.113.9")).to.equal(undefined);
    await deleteOldClients(database.db);
    expect(await rows()).to.deep.equal([]);
  });

  it("cause no write for a second sign-in on the same day", async () => {
    await remember("203.0.113.9");
    const [before] = await rows();
    await remember("203.0.113.9");
    expect(await rows()).to.deep.equal([before]);
  });

  it("are limited to the newest forty per user", async () => {
    await remember("first");
    await age(2);
    await remember("second");
    await age(1);
    for (let i = 0; i < 39; i += 1) {
      await remember(`later ${i}`);
    }
    expect(await rows()).to.have.length(40);
    expect(await find("later 0")).to.equal("network");
    expect(await find("later 38")).to.equal("network");
  });

  it("can all be forgotten at once", async () => {
    await remember("203.0.113.9", "chrome");
    await inTransaction(database.db, (trx) => forgetClients(trx, owner));
    expect(await find("203.0.113.9", "chrome")).to.equal(undefined);
  });
});
