import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { authenticateToken, hashToken, identityTtlMs } from "../../src/accounts/identities.ts";
import { ensureSuperadmin } from "../../src/accounts/bootstrap.ts";
import { createSsoTokens } from "../../src/accounts/service.ts";
import { findSessionByHash, insertSession } from "../../src/accounts/sessions/store.ts";
import { insertToken, newToken } from "../../src/accounts/token-store.ts";
import { insertApiToken } from "../../src/accounts/api-tokens/service.ts";
import { createAudit } from "../../src/audit/audit-log.ts";
import { composeFeatures } from "../../src/compose/features.ts";
import { sessionCookieName, csrfTokenOf } from "../../src/http/browser-session.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { testBaseUrl } from "../support/api.ts";
import { useDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { aTenant, aTenantTicket, tokenFor, type Tenant } from "../support/tenant.ts";
import { serveWholeApi, type ServedApi } from "../support/whole-api.ts";

/** A user's token or session, whose identity both processes have cached. */
type Credential = Readonly<{ kind: "token" | "session"; id: number; value: string }>;

type Case = Readonly<{
  /** By default, an access token. */
  by?: "api token" | "session";
  /** Makes the change in the first process. */
  change(tenant: Tenant, credential: Credential): Promise<unknown>;
}>;

describe("the identity cache of two web processes", () => {
  let nodes: ServedApi[] = [];
  // Registered before `useDatabase`, so that connections are closed before the database is dropped.
  after("stop the web processes", () => Promise.all(nodes.map((node) => node.close())));
  const database = useDatabase();
  before("start two web processes", async () => {
    nodes = [await serveWholeApi(database.url), await serveWholeApi(database.url)];
    await eventually(() => nodes.every(isListening));
  });

  const isListening = ({ platform }: ServedApi): boolean =>
    platform.listener.isListening("identity");
  const nodeAt = (index: 0 | 1): ServedApi => nodes[index] ?? expect.fail("not started");

  /**
   * The identity as seen by this process, cached or not. Without values that differ between reads.
   */
  const seenBy = async ({ platform }: ServedApi, { kind, value }: Credential) => {
    const { authenticate, browserSessions } = composeFeatures(platform);
    const found = await (kind === "token" ? authenticate(value) : browserSessions.find(value));
    return found && { caller: found.caller, hasSolution: found.hasSolution };
  };

  const stored = async ({ kind, value }: Credential) => {
    const found = await (kind === "token"
      ? authenticateToken(database.db, value)
      : findSessionByHash(database.db, hashToken(value)));
    return found && { caller: found.caller, hasSolution: found.hasSolution };
  };

  /** A credential of the tenant's agent. */
  const aCredential = async (tenant: Tenant, by: Case["by"]): Promise<Credential> => {
    const { db } = database;
    const owner = { userId: tenant.members.agent.id, enterpriseId: tenant.id };
    const made = newToken(randomIds);
    switch (by) {
      case "session": {
        const session = { hash: made.hash, owner, isEmbedded: false, userAgent: null };
        const id = await inTransaction(db, (trx) => insertSession(trx, session));
        return { kind: "session", id, value: made.token };
      }
      case "api token": {
        const value = `slt_${made.token}`;
        const wanted = { hash: hashToken(value), name: "test", days: 7 };
        const { id } = await inTransaction(db, (trx) => insertApiToken(trx, owner, wanted));
        return { kind: "token", id, value };
      }
      default:
        return { kind: "token", id: 0, value: await tokenFor(db, tenant.members.agent) };
    }
  };

  const call = async (operation: string, token: string, json?: unknown): Promise<unknown> => {
    const answer = await nodeAt(0).call(operation, { token, json });
    expect(answer.status, answer.text).to.be.within(200, 204);
    return answer.body;
  };

  const asAdmin = (
    operation: (tenant: Tenant) => string,
    json?: (tenant: Tenant) => unknown,
  ): Case => ({
    by: "api token",
    change: (tenant) => call(operation(tenant), tenant.members.admin.token, json?.(tenant)),
  });
  const agentPath = ({ members }: Tenant): string => `/api/users/${members.agent.id}`;
  const anotherSuperadmin = async () => (await aTenant(database.db)).members.superadmin.token;
  const groupsPath = ({ id }: Tenant): string => `/api/enterprises/${id}/user-groups`;

  /** Calls as the browser that has this session. */
  const browse = async (operation: string, { value }: Credential): Promise<void> => {
    const headers = {
      cookie: `${sessionCookieName(testBaseUrl)}=${value}`,
      "x-csrf-token": csrfTokenOf(value),
      "sec-fetch-site": "same-origin",
    };
    const { status, text } = await nodeAt(0).call(operation, { headers });
    expect(status, text).to.be.within(200, 204);
  };

  const cases: Record<string, Case> = {
    "another role": asAdmin(
      (tenant) => `PATCH ${agentPath(tenant)}`,
      () => ({ role: "viewer" }),
    ),
    "another login": asAdmin(
      (tenant) => `PATCH ${agentPath(tenant)}`,
      () => ({ login: `${randomIds.hex(8)}@new.example` }),
    ),
    "other groups": asAdmin(
      (tenant) => `PATCH ${agentPath(tenant)}`,
      ({ south }) => ({ groups: [south] }),
    ),
    "being disabled": asAdmin(
      (tenant) => `PATCH ${agentPath(tenant)}`,
      () => ({ isActive: false }),
    ),
    "being deleted": asAdmin((tenant) => `DELETE ${agentPath(tenant)}`),
    "all tokens revoked": asAdmin((tenant) => `DELETE ${agentPath(tenant)}/tokens`),
    "other members of a group": asAdmin(
      (tenant) => `PATCH ${groupsPath(tenant)}/${tenant.north}`,
      () => ({ members: [] }),
    ),
    "a new group": asAdmin(
      (tenant) => `POST ${groupsPath(tenant)}`,
      ({ members }) => ({ name: randomIds.hex(8), members: [members.agent.id] }),
    ),
    "a deleted group": asAdmin((tenant) => `DELETE ${groupsPath(tenant)}/${tenant.north}`),
    "the end of the subscription": {
      change: async ({ id }) =>
        call(`PATCH /api/enterprises/${id}`, await anotherSuperadmin(), {
          solution_enabled: false,
        }),
    },
    "a revoked API token": {
      by: "api token",
      change: ({ members }, { id, value }) =>
        call(`DELETE /api/users/me/api-tokens/${id}`, members.agent.token).then(() => value),
    },
    "an API token revoked by an administrator": {
      by: "api token",
      change: (tenant, { id }) =>
        call(`DELETE /api/enterprises/${tenant.id}/api-tokens/${id}`, tenant.members.admin.token),
    },
    "a revoked access token": { change: (_tenant, { value }) => call("DELETE /api/token", value) },
    "a session closed elsewhere": {
      by: "session",
      change: ({ members }, { id }) =>
        call(`DELETE /api/users/me/sessions/${id}`, members.agent.token),
    },
    "signing out": {
      by: "session",
      change: (_tenant, credential) => browse("DELETE /api/browser-session", credential),
    },
    "the role of a superadmin from the configuration": {
      change: ({ members }) =>
        ensureSuperadmin({ db: nodeAt(0).platform.db, audit: createAudit() }, members.agent.login),
    },
  };

  /** Warms both processes, makes the change, and compares what they see with the database. */
  const expectNoticed = async (credential: Credential, change: () => unknown) => {
    const before = await stored(credential);
    await eventually(() => nodes.every(isListening));
    for (const node of nodes) {
      expect(await seenBy(node, credential)).to.deep.equal(before);
    }
    const warmAtMs = performance.now();
    await change();
    const after = await stored(credential);
    expect(after).to.not.deep.equal(before);
    expect(await seenBy(nodeAt(0), credential)).to.deep.equal(after);
    await eventually(async () => expect(await seenBy(nodeAt(1), credential)).to.deep.equal(after), {
      everyMs: 5,
    });
    expect(performance.now() - warmAtMs, "noticed by time alone").to.be.below(identityTtlMs);
  };

  for (const [what, { by, change }] of Object.entries(cases)) {
    it(`notices ${what}`, async () => {
      const tenant = await aTenant(database.db);
      const credential = await aCredential(tenant, by);
      await expectNoticed(credential, () => change(tenant, credential));
    });
  }

  it("notices the reuse of a refresh token", async () => {
    const tenant = await aTenant(database.db);
    const { db } = database;
    const owner = { userId: tenant.members.agent.id, enterpriseId: tenant.id };
    const family = randomUUID();
    const [access, refresh] = [newToken(randomIds), newToken(randomIds)];
    const common = { owner, family, ttlSeconds: 600 };
    await insertToken(db, { ...common, hash: access.hash, kind: "access" });
    await insertToken(db, { ...common, hash: refresh.hash, kind: "refresh" });
    const exchange = () =>
      fetch(`${nodeAt(0).url}/api/token`, {
        method: "POST",
        body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: refresh.token }),
      });
    expect((await exchange()).status).to.equal(200);
    const credential: Credential = { kind: "token", id: 0, value: access.token };
    await expectNoticed(credential, exchange);
  });

  it("notices the end of a ticket for the sessions of its sso_url", async () => {
    const tenant = await aTenant(database.db);
    const { agent } = tenant.members;
    const ticketId = await aTenantTicket(database.db, tenant, { agentId: agent.id });
    const { token, hash } = newToken(randomIds);
    const owner = { userId: agent.id, enterpriseId: tenant.id };
    await inTransaction(database.db, (trx) =>
      insertSession(trx, { hash, owner, isEmbedded: false, userAgent: null, ticketId }),
    );
    const { revokeSsoTokens } = createSsoTokens({ ids: randomIds });
    const credential: Credential = { kind: "session", id: 0, value: token };
    await expectNoticed(credential, () =>
      // In a savepoint, like the processing of HL7 messages.
      inTransaction(nodeAt(0).platform.db, (trx) =>
        trx.transaction((savepoint) =>
          revokeSsoTokens(savepoint, { enterpriseId: tenant.id, ticketId }),
        ),
      ),
    );
  });

  it("reads while its listener is away, and caches again afterwards", async () => {
    const tenant = await aTenant(database.db);
    const credential = await aCredential(tenant, "api token");
    await eventually(() => nodes.every(isListening));
    await Promise.all(nodes.map((node) => seenBy(node, credential)));
    await rowsOf(
      database.db,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'sightline listener' AND datname = current_database()`,
    );
    await eventually(() => !nodes.some(isListening), { everyMs: 1 });
    // Without a notification, as if it had been lost.
    await rowsOf(database.db, "UPDATE users SET role = 'viewer' WHERE id = ?", [
      tenant.members.agent.id,
    ]);
    for (const node of nodes) {
      expect((await seenBy(node, credential))?.caller.role).to.equal("viewer");
    }
    await eventually(() => nodes.every(isListening));
    await seenBy(nodeAt(1), credential);
    await rowsOf(database.db, "UPDATE users SET role = 'agent' WHERE id = ?", [
      tenant.members.agent.id,
    ]);
    expect((await seenBy(nodeAt(1), credential))?.caller.role).to.equal("viewer");
  });

  it("makes an authenticated PATCH that reads no identity once warm", async () => {
    const tenant = await aTenant(database.db);
    const ticketId = await aTenantTicket(database.db, tenant, { agentId: tenant.members.agent.id });
    const credential = await aCredential(tenant, undefined);
    await eventually(() => nodes.every(isListening));
    await seenBy(nodeAt(0), credential);
    const statements: string[] = [];
    const hear = ({ sql }: { sql: string }) => void statements.push(sql);
    nodeAt(0).platform.db.on("query", hear);
    await call(`PATCH /api/tickets/${ticketId}`, credential.value, { reference: "changed" });
    nodeAt(0).platform.db.removeListener("query", hear);
    expect(statements.filter((sql) => sql.includes("tickets"))).to.not.deep.equal([]);
    expect(statements.filter((sql) => sql.includes("solution_enabled"))).to.deep.equal([]);
    expect(statements.filter((sql) => sql.includes("rate_limits"))).to.have.length.at.most(1);
  });
});
