import { expect } from "chai";
import { createSsoTokens } from "../../src/accounts/service.ts";
import { hashToken, authenticateToken } from "../../src/accounts/identities.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { useDatabase } from "../support/database.ts";
import { anEnterprise, aUser } from "../support/factories.ts";

describe("sso tokens", () => {
  const database = useDatabase();
  const sso = createSsoTokens({ ids: randomIds });

  it("are bound to a ticket, expire with it, and are rejected by the API", async () => {
    const { db } = database;
    const { id: enterpriseId } = await anEnterprise(db);
    const { id: userId } = await aUser(db, { enterprise_id: enterpriseId });
    const expiresAt = new Date(Date.now() + 60_000);
    const issue = (ticketId: number) =>
      inTransaction(db, (trx) =>
        sso.issueSsoToken(trx, { enterpriseId, userId, ticketId, expiresAt }),
      );
    const token = await issue(1000);
    await issue(1001);
    const rows = () =>
      rowsOf<{ ticket_id: number; hash: Buffer }>(
        db,
        "SELECT ticket_id, hash FROM tokens ORDER BY 1",
      );
    const [row] = await rows();
    expect(row?.ticket_id).to.equal(1000);
    expect(row?.hash.equals(hashToken(token))).to.equal(true);
    expect(await authenticateToken(db, token)).to.equal(undefined);
    await inTransaction(db, (trx) => sso.revokeSsoTokens(trx, { enterpriseId, ticketId: 1000 }));
    expect((await rows()).map((left) => left.ticket_id)).to.deep.equal([1001]);
  });
});
