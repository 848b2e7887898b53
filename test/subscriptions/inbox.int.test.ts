import { expect } from "chai";
import { deleteInboxRequests } from "../../src/inbox/store.ts";
import { Problem } from "../../src/contracts/problems.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { createSecretBox } from "../../src/platform/secret-box.ts";
import { createAudit } from "../../src/audit/audit-log.ts";
import type { Actor } from "../../src/http/authorize.ts";
import { createWebhookService, type WebhookService } from "../../src/subscriptions/service.ts";
import { useDatabase } from "../support/database.ts";
import { anEnterprise } from "../support/factories.ts";

const local = "http://127.0.0.1:3000";
const elsewhere = "https://elsewhere.example";

describe("inbox key", () => {
  const database = useDatabase();
  let webhooks: WebhookService;
  let owner: Actor;
  let stranger: Actor;
  let key: string;
  let url: string;

  before(() => {
    webhooks = createWebhookService({
      db: database.db,
      secretBox: createSecretBox(Buffer.alloc(32, 7)),
      ids: randomIds,
      clock: systemClock,
      log: { info: () => undefined } as never,
      checkUrl: async (text) => ({ isAllowed: true, href: new URL(text).href }),
      inbox: { bases: [local, "https://Demo.example:443"], deleteRequests: deleteInboxRequests },
      audit: createAudit(),
      onChanged: () => undefined,
    });
  });
  beforeEach(async () => {
    const anActor = async () => ({
      enterpriseId: (await anEnterprise(database.db)).id,
      userId: null,
      login: "admin@test.example",
    });
    owner = await anActor();
    stranger = await anActor();
    key = randomIds.base62(22);
    url = `${local}/inbox/${key}`;
  });

  const add = async (author: Actor, at: string | null, active = true): Promise<number> =>
    (await webhooks.create(author, { url: at, active: active && at !== null })).subscription.id;
  const keep = async (): Promise<void> => {
    await rowsOf(
      database.db,
      "INSERT INTO inbox_requests (inbox_key, headers, body) VALUES (?, '[]', 'kept')",
      [key],
    );
  };
  const kept = async (): Promise<number> =>
    (await rowsOf(database.db, "SELECT 1 FROM inbox_requests WHERE inbox_key = ?", [key])).length;
  const isOpen = async (): Promise<boolean> => (await webhooks.findInboxSecrets(key)) !== undefined;
  const refusal = async (change: Promise<unknown>): Promise<unknown> =>
    change.then(
      () => "accepted",
      (thrown: unknown) => (thrown instanceof Problem ? thrown.errors : thrown),
    );
  const blocked = [{ field: "url", reason: "blocked_target" }];

  it("opens the inbox only if the URL is at one of the platform's addresses", async () => {
    for (const own of [`${local}/inbox/`, "https://demo.example/inbox/"]) {
      const id = await add(owner, `${own}${key}?status=500`);
      expect(await isOpen(), own).to.equal(true);
      await webhooks.remove(owner, id);
    }
    for (const other of [
      `${elsewhere}/inbox/`,
      "http://127.0.0.1:3001/inbox/",
      "https://127.0.0.1:3000/inbox/",
      `${local}/a/inbox/`,
    ]) {
      const id = await add(owner, `${other}${key}`);
      expect(await isOpen(), other).to.equal(false);
      await webhooks.remove(owner, id);
    }
  });

  it("belongs forever to the enterprise that first used it", async () => {
    const id = await add(owner, url);
    const own = await add(stranger, null);
    const attempts = () => [
      add(stranger, url, false),
      add(stranger, `https://demo.example/inbox/${key}?status=200`),
      webhooks.update(stranger, own, { url }),
    ];
    const refused = [blocked, blocked, blocked];
    expect(await Promise.all(attempts().map(refusal))).to.deep.equal(refused);
    await webhooks.update(owner, id, { url: `${elsewhere}/hook` });
    await webhooks.remove(owner, id);
    expect(await Promise.all(attempts().map(refusal))).to.deep.equal(refused);
    expect(await webhooks.list(stranger)).to.have.length(1);
    expect((await webhooks.get(stranger, own)).url).to.equal(null);
    await add(owner, url);
    expect(await isOpen()).to.equal(true);
  });

  it("is assigned to one of two concurrent enterprises", async () => {
    const answers = await Promise.all([refusal(add(owner, url)), refusal(add(stranger, url))]);
    expect(answers).to.have.deep.members(["accepted", blocked]);
  });

  it("deletes its requests when its last webhook is deleted or moved", async () => {
    const first = await add(owner, url);
    const second = await add(owner, `${url}?status=500`, false);
    await keep();
    await webhooks.remove(owner, first);
    expect(await kept()).to.equal(1);
    await webhooks.remove(owner, second);
    expect(await kept()).to.equal(0);
    for (const next of [`${elsewhere}/hook`, null]) {
      const id = await add(owner, url, false);
      await keep();
      await webhooks.update(owner, id, { name: "renamed" });
      await webhooks.update(owner, id, { url: `${url}?status=503` });
      expect(await kept()).to.equal(1);
      await webhooks.update(owner, id, { url: next });
      expect(await kept(), String(next)).to.equal(0);
    }
  });

  it("keeps its requests if another enterprise uses it at another address", async () => {
    await add(owner, url);
    await keep();
    const id = await add(stranger, `${elsewhere}/inbox/${key}`);
    await webhooks.update(owner, (await webhooks.list(owner))[0]?.id ?? 0, { url: `${url}?` });
    await webhooks.remove(stranger, id);
    expect(await kept()).to.equal(1);
  });

  it("does not exist because of another enterprise", async () => {
    const id = await add(owner, url);
    await keep();
    await add(stranger, `${elsewhere}/inbox/${key}`);
    await webhooks.remove(owner, id);
    expect(await kept()).to.equal(0);
    expect(await isOpen()).to.equal(false);
  });

  it("keeps its requests if the change is rolled back", async () => {
    const id = await add(owner, url);
    await keep();
    expect(await refusal(webhooks.update(owner, id, { url: null }))).to.not.equal("accepted");
    expect(await kept()).to.equal(1);
  });
});
