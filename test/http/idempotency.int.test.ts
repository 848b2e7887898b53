import { expect } from "chai";
import { createIdempotency, hashRequest } from "../../src/http/idempotency.ts";
import { created, route } from "../../src/http/route.ts";
import { rowsOf, type Db } from "../../src/platform/db/pool.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { only, startApi, testCaller, type TestApi } from "../support/api.ts";
import { useDatabase } from "../support/database.ts";
import { anEnterprise, aUser } from "../support/factories.ts";
import { testBox, undecryptable } from "../support/secret-box.ts";

/** The use case adds a group. The hooks let a test interfere before and after its commit. */
type Hooks = { beforeCommit: () => Promise<void>; afterCommit: () => Promise<void> };

async function nothing(): Promise<void> {
  return undefined;
}

function groupRoute(db: Db, hooks: Hooks) {
  return route<unknown, unknown, { name: string }>({
    method: "POST",
    path: "/groups",
    operationId: "groups.create",
    summary: "x",
    permission: "users.write",
    family: "solution",
    limit: "api",
    isIdempotent: true,
    answer: { status: 201, schema: { type: "object" } },
    transport: "any",
    body: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
    handle: async ({ body, caller, idempotency }) => {
      const answer = await inTransaction(db, async (trx) => {
        await idempotency?.begin(trx);
        const [row] = await rowsOf<{ id: number }>(
          trx,
          "INSERT INTO groups (enterprise_id, name) VALUES (?, ?) RETURNING id",
          [caller.enterpriseId, `${body.name} ${Math.random()}`],
        );
        const made = created({ id: row?.id, name: body.name }, `/api/groups/${row?.id}`);
        await idempotency?.finish(trx, made);
        await hooks.beforeCommit();
        return made;
      });
      await hooks.afterCommit();
      return answer;
    },
  });
}

describe("idempotency", () => {
  const database = useDatabase();
  const hooks: Hooks = { beforeCommit: nothing, afterCommit: nothing };
  let api: TestApi;
  let enterpriseId: number;
  let userId: number;

  before(async () => {
    const { db } = database;
    ({ id: enterpriseId } = await anEnterprise(db));
    ({ id: userId } = await aUser(db, { enterprise_id: enterpriseId }));
    const other = await aUser(db, { enterprise_id: enterpriseId });
    const callers = [
      only(testCaller({ enterpriseId, userId })),
      only(testCaller({ enterpriseId, userId: other.id, token: "other" })),
    ];
    api = await startApi({
      routes: [groupRoute(db, hooks)],
      authenticate: async (token) => (await callers[0]?.(token)) ?? callers[1]?.(token),
      idempotency: createIdempotency(db, testBox),
    });
  });
  after(() => api.close());
  afterEach(async () => {
    hooks.beforeCommit = nothing;
    hooks.afterCommit = nothing;
    await database.db.raw("DELETE FROM groups");
  });

  const post = async (key: string | undefined, body: object, token = "good") => {
    const response = await fetch(`${api.url}/api/groups`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        ...(key === undefined ? {} : { "idempotency-key": key }),
      },
      body: JSON.stringify(body),
    });
    const { status, headers } = response;
    return { status, headers, body: (await response.json()) as Record<string, unknown> };
  };

  const countGroups = async (): Promise<number> =>
    (await rowsOf(database.db, "SELECT id FROM groups")).length;

  it("executes once and repeats status, body and Location", async () => {
    const first = await post("once", { name: "a" });
    const second = await post("once", { name: "a" });
    expect(first.status).to.equal(201);
    expect(second.status).to.equal(201);
    expect(second.body).to.deep.equal(first.body);
    expect(second.headers.get("location")).to.equal(first.headers.get("location"));
    expect(first.headers.has("idempotent-replayed")).to.equal(false);
    expect(second.headers.get("idempotent-replayed")).to.equal("true");
    expect(await countGroups()).to.equal(1);
  });

  it("executes every time without a key, and once per key", async () => {
    await post(undefined, { name: "a" });
    await post(undefined, { name: "a" });
    await post("one", { name: "a" });
    await post("two", { name: "a" });
    expect(await countGroups()).to.equal(4);
  });

  it("rejects a key that was used for another request", async () => {
    await post("twice", { name: "a" });
    const second = await post("twice", { name: "b" });
    expect(second.status).to.equal(409);
    expect(second.body).to.include({ code: 11, details: "Header Idempotency-Key" });
    expect(await countGroups()).to.equal(1);
  });

  it("separates the keys of users", async () => {
    await post("shared", { name: "a" });
    expect((await post("shared", { name: "b" }, "other")).status).to.equal(201);
  });

  it("rejects a second request while the first is running, then repeats its answer", async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let reached = (): void => undefined;
    const isReached = new Promise<void>((resolve) => {
      reached = resolve;
    });
    hooks.beforeCommit = async () => {
      reached();
      await held;
    };
    const first = post("slow", { name: "a" });
    await isReached;
    const second = await post("slow", { name: "a" });
    release();
    expect(second.status).to.equal(409);
    expect((await first).status).to.equal(201);
    expect((await post("slow", { name: "a" })).body).to.deep.equal((await first).body);
    expect(await countGroups()).to.equal(1);
  });

  it("executes once, however many requests are concurrent", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post("burst", { name: "a" })),
    );
    expect(await countGroups()).to.equal(1);
    expect(new Set(answers.map(({ status }) => status))).to.satisfy((statuses: Set<number>) =>
      [...statuses].every((status) => status === 201 || status === 409),
    );
    const ids = answers.filter(({ status }) => status === 201).map(({ body }) => body["id"]);
    expect(new Set(ids).size).to.equal(1);
  });

  it("repeats an answer that was lost after the commit", async () => {
    hooks.afterCommit = async () => {
      throw new Error("killed here");
    };
    expect((await post("killed", { name: "a" })).status).to.equal(500);
    hooks.afterCommit = nothing;
    const repeated = await post("killed", { name: "a" });
    expect(repeated.status).to.equal(201);
    expect(await countGroups()).to.equal(1);
  });

  it("executes again if the first request was rolled back", async () => {
    hooks.beforeCommit = async () => {
      throw new Error("killed here");
    };
    expect((await post("rolled-back", { name: "a" })).status).to.equal(500);
    expect(await countGroups()).to.equal(0);
    hooks.beforeCommit = nothing;
    expect((await post("rolled-back", { name: "b" })).status).to.equal(201);
    expect(await countGroups()).to.equal(1);
  });

  it("executes once even if the first response cannot be decrypted", async () => {
    await post("lost", { name: "a" });
    await rowsOf(database.db, "UPDATE idempotency_keys SET body_sealed = ? WHERE key = 'lost'", [
      undecryptable,
    ]);
    const { status, body } = await post("lost", { name: "a" });
    expect([status, body["details"]]).to.deep.equal([409, "Header Idempotency-Key"]);
    expect(await countGroups()).to.equal(1);
  });

  it("forgets a key after a day", async () => {
    await post("old", { name: "a" });
    await database.db.raw(
      "UPDATE idempotency_keys SET created_at = now() - interval '24 hours' WHERE key = 'old'",
    );
    expect((await post("old", { name: "b" })).status).to.equal(201);
    expect((await post("old", { name: "b" })).headers.get("idempotent-replayed")).to.equal("true");
    expect(await countGroups()).to.equal(2);
  });

  it("rejects a key that is too long", async () => {
    const answer = await post("x".repeat(256), { name: "a" });
    expect(answer.status).to.equal(400);
    expect(answer.body["details"]).to.equal("Parameter Idempotency-Key");
  });

  it("compares requests by operation and values, not by the order of keys", () => {
    const hash = hashRequest("a", { x: 1, y: { b: 1, a: 2 } });
    expect(hash.equals(hashRequest("a", { y: { a: 2, b: 1 }, x: 1 }))).to.equal(true);
    expect(hash.equals(hashRequest("b", { x: 1, y: { b: 1, a: 2 } }))).to.equal(false);
    expect(hash.equals(hashRequest("a", { x: 1, y: { b: 1, a: 3 } }))).to.equal(false);
  });
});
