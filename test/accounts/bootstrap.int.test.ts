import { expect } from "chai";
import { ensureFirstEnterprise, BootstrapError } from "../../src/accounts/bootstrap.ts";
import { meetsPasswordRule } from "../../src/contracts/password-rule.ts";
import { findServiceForTickets } from "../../src/accounts/directory-store.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { startAccountsApi } from "../support/accounts-api.ts";
import { useDatabase } from "../support/database.ts";

const admin = { login: "admin@demo.example", password: undefined };
const agent = { login: "agent@demo.example", password: "Given-Horse-7" };

describe("first start", () => {
  const database = useDatabase();
  let hashed: string[];
  const deps = (more: object = {}) => ({
    admin,
    agent,
    ids: randomIds,
    passwords: {
      hash: async (password: string) => {
        hashed.push(password);
        return `hash of ${password}`;
      },
    },
    ...more,
  });
  beforeEach(() => {
    hashed = [];
  });

  it("reports all invalid passwords and logins at once, and creates nothing", async () => {
    const wrong = deps({
      admin: { login: "", password: "short" },
      agent: { login: "a b", password: "alllower1" },
    });
    const failure = await ensureFirstEnterprise(database.db, wrong).catch((e: unknown) => e);
    expect(failure).to.be.instanceOf(BootstrapError);
    expect((failure as BootstrapError).faults).to.have.length(4);
    expect((failure as BootstrapError).message).to.not.contain("short");
    const same = deps({ agent: { ...agent, login: "ADMIN@demo.example" } });
    const clash = await ensureFirstEnterprise(database.db, same).catch((e: unknown) => e);
    expect((clash as BootstrapError).faults[0]).to.contain("different logins");
    expect(await rowsOf(database.db, "SELECT id FROM enterprises")).to.deep.equal([]);
  });

  it("creates one enterprise, only once, even if several processes start at once", async () => {
    const { db } = database;
    const made = await Promise.all([1, 2, 3, 4].map(() => ensureFirstEnterprise(db, deps())));
    const [first, ...others] = made.filter((result) => result !== undefined);
    expect(others).to.deep.equal([]);
    expect(first?.agent).to.deep.equal({ ...agent, isGenerated: false });
    expect(first?.admin.isGenerated).to.equal(true);
    expect(meetsPasswordRule(first?.admin.password ?? "")).to.equal(true);
    expect(hashed).to.deep.equal([first?.admin.password, first?.agent.password]);
    expect(await ensureFirstEnterprise(db, deps())).to.equal(undefined);
    expect(await rowsOf(db, "SELECT name FROM enterprises")).to.deep.equal([{ name: "Demo" }]);
  });

  it("creates an administrator, an agent in a group, and two services with entry points", async () => {
    const { db } = database;
    const users = await rowsOf(
      db,
      `SELECT u.login, u.role, u.is_agent, u.email, u.account_type, g.name AS group FROM users u
       LEFT JOIN group_members m ON m.user_id = u.id LEFT JOIN groups g ON g.id = m.group_id
       ORDER BY u.id`,
    );
    const common = { account_type: "solution" };
    expect(users).to.deep.equal([
      {
        ...common,
        login: admin.login,
        role: "admin",
        is_agent: false,
        email: admin.login,
        group: null,
      },
      {
        ...common,
        login: agent.login,
        role: "agent",
        is_agent: true,
        email: agent.login,
        group: "Support",
      },
    ]);
    const services = await rowsOf(
      db,
      `SELECT s.name, s.kind, count(b.id) AS buttons, s.service_key ~ '^[a-z0-9]{32}$' AS has_key
       FROM services s LEFT JOIN buttons b ON b.service_id = s.id GROUP BY s.id ORDER BY s.id`,
    );
    expect(services).to.deep.equal([
      { name: "Video assistance", kind: "ticket", buttons: 1, has_key: true },
      { name: "Video meeting", kind: "conference", buttons: 1, has_key: true },
    ]);
    const [enterprise] = await rowsOf<{ id: number }>(db, "SELECT id FROM enterprises");
    expect(await findServiceForTickets(db, enterprise?.id ?? 0, undefined)).to.include({
      name: "Video assistance",
    });
  });
});

describe("first start with real hashes", () => {
  const database = useDatabase();

  it("creates users who can sign in with the printed passwords", async () => {
    const api = await startAccountsApi(database.db);
    const made = await ensureFirstEnterprise(database.db, {
      admin,
      agent,
      ids: randomIds,
      passwords: api.passwords,
    });
    for (const { login, password } of [made?.admin, made?.agent].filter(
      (user) => user !== undefined,
    )) {
      const body = new URLSearchParams({ grant_type: "password", username: login, password });
      const response = await fetch(`${api.url}/api/token`, { method: "POST", body });
      expect(response.status).to.equal(200);
    }
    await api.close();
  });
});
