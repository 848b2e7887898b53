import { expect } from "chai";
import { createEmbedding } from "../../src/accounts/embedding.ts";
import type { EmbedRequest } from "../../src/contracts/directory.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { useDatabase } from "../support/database.ts";
import { anEnterprise, aService, type EnterpriseRow } from "../support/factories.ts";

const baseUrl = "https://video.example.com";
const self = "'self'";

describe("sites that may embed our pages", () => {
  const database = useDatabase();
  let enterprise: EnterpriseRow;
  let mark: string;
  beforeEach(async () => {
    enterprise = await anEnterprise(database.db);
    mark = randomIds.hex(6);
  });

  const allow = async (domain: string, alias = "", of = enterprise): Promise<void> => {
    await database.db("enterprise_domains").insert({ enterprise_id: of.id, domain, alias });
  };
  type Owner = Awaited<ReturnType<Parameters<typeof createEmbedding>[0]["findOwner"]>>;
  const embed = (signedIn?: EnterpriseRow, at = baseUrl, more: Partial<Owner> = {}) => {
    const made = createEmbedding({
      db: database.db,
      baseUrl: at,
      findOwner: async (cookies) =>
        cookies === "mine" && signedIn !== undefined
          ? { enterpriseId: signedIn.id, groupIds: [], role: "agent", ...more }
          : undefined,
    });
    return {
      ...made,
      frameAncestors: async (request: EmbedRequest) =>
        (await made.findFramePolicy(request)).frameAncestors,
    };
  };
  const nothing = { host: undefined, serviceKey: undefined, cookieHeader: undefined };

  it("are only `'self'` if the enterprise is unknown", async () => {
    await allow("crm.example");
    const { frameAncestors } = embed(enterprise);
    for (const request of [
      nothing,
      { host: "video.example.com", serviceKey: "unknown", cookieHeader: "other" },
      { host: "", serviceKey: "", cookieHeader: "" },
      { host: "x".repeat(300), serviceKey: "\0", cookieHeader: undefined },
    ]) {
      expect(await frameAncestors(request)).to.deep.equal([self]);
    }
  });

  it("are the domains of the enterprise whose alias is in the Host header", async () => {
    await allow("crm.example", `v.${mark}.example`);
    await allow("b.example");
    const expected = [self, "https://b.example", "https://crm.example"];
    const { frameAncestors } = embed();
    for (const host of [`v.${mark}.example`, `V.${mark}.example`, `v.${mark}.example:8443`]) {
      expect(await frameAncestors({ ...nothing, host }), host).to.deep.equal(expected);
    }
  });

  it("are those of the enterprise itself for a page that uses no session", async () => {
    await allow("crm.example");
    const { listFrameAncestors } = embed();
    expect(await listFrameAncestors(enterprise.id)).to.deep.equal([self, "https://crm.example"]);
  });

  it("ignore an alias that equals the platform's host name", async () => {
    await allow("crm.example", `v.${mark}.example`);
    const { frameAncestors } = embed(undefined, `https://v.${mark}.example:8443`);
    for (const host of [`v.${mark}.example`, `V.${mark}.example:8443`]) {
      expect(await frameAncestors({ ...nothing, host }), host).to.deep.equal([self]);
    }
  });

  it("are those of the enterprise of the page's service, if it is active", async () => {
    await allow("crm.example");
    const service = await aService(database.db, { enterprise_id: enterprise.id });
    const { frameAncestors } = embed();
    const ask = () => frameAncestors({ ...nothing, serviceKey: service.service_key });
    expect(await ask()).to.deep.equal([self, "https://crm.example"]);
    await database.db("services").where({ id: service.id }).update({ is_active: false });
    expect(await ask()).to.deep.equal([self]);
  });

  it("are those of the signed-in user's enterprise", async () => {
    await allow("crm.example");
    const { frameAncestors } = embed(enterprise);
    expect(await frameAncestors({ ...nothing, cookieHeader: "mine" })).to.deep.equal([
      self,
      "https://crm.example",
    ]);
  });

  it("are found by the alias first, then by the service, then by the session", async () => {
    const [byAlias, byService] = [enterprise, await anEnterprise(database.db)];
    const bySession = await anEnterprise(database.db);
    await allow("alias.example", `v.${mark}.example`, byAlias);
    await allow("service.example", "", byService);
    await allow("session.example", "", bySession);
    const service = await aService(database.db, { enterprise_id: byService.id });
    const { frameAncestors } = embed(bySession);
    const all = {
      host: `v.${mark}.example`,
      serviceKey: service.service_key,
      cookieHeader: undefined,
    };
    expect(await frameAncestors(all)).to.deep.equal([self, "https://alias.example"]);
    const noAlias = { ...all, host: "video.example.com" };
    expect(await frameAncestors(noAlias)).to.deep.equal([self, "https://service.example"]);
    const noService = { ...noAlias, serviceKey: undefined, cookieHeader: "mine" };
    expect(await frameAncestors(noService)).to.deep.equal([self, "https://session.example"]);
  });

  it("are only `'self'` if a user of another enterprise is signed in", async () => {
    await allow("evil.example", `v.${mark}.example`);
    const service = await aService(database.db, { enterprise_id: enterprise.id });
    const [host, serviceKey] = [`v.${mark}.example`, service.service_key];
    const victim = await anEnterprise(database.db);
    await allow("crm.example", "", victim);
    const { findFramePolicy } = embed(victim);
    for (const request of [{ host }, { serviceKey }, { host, serviceKey }]) {
      const { frameAncestors } = await findFramePolicy({
        ...nothing,
        ...request,
        cookieHeader: "mine",
      });
      expect(frameAncestors, JSON.stringify(request)).to.deep.equal([self]);
    }
    expect((await findFramePolicy({ ...nothing, serviceKey })).frameAncestors).to.include(
      "https://evil.example",
    );
  });

  it("find a service by its key, within the enterprise of the signed-in user", async () => {
    const service = await aService(database.db, { enterprise_id: enterprise.id });
    const isService = async (request: Partial<EmbedRequest>, signedIn?: EnterpriseRow) =>
      (await embed(signedIn).findFramePolicy({ ...nothing, ...request })).isService;
    const own = { serviceKey: service.service_key };
    expect(await isService(own)).to.equal(true);
    expect(await isService({ ...own, cookieHeader: "mine" }, enterprise)).to.equal(true);
    const other = await anEnterprise(database.db);
    expect(await isService({ ...own, cookieHeader: "mine" }, other)).to.equal(false);
    expect(await isService({ serviceKey: "unknown" })).to.equal(false);
    expect(await isService({})).to.equal(false);
  });

  it("find no service to which the signed-in user may not invite, because of groups or role", async () => {
    const { db } = database;
    const { id: enterprise_id } = enterprise;
    const mine = { ...nothing, cookieHeader: "mine" };
    const isService = async (serviceKey: string, more: Partial<Owner> = {}) =>
      (await embed(enterprise, baseUrl, more).findFramePolicy({ ...mine, serviceKey })).isService;
    const service = await aService(db, { enterprise_id });
    const meetings = await aService(db, { enterprise_id, kind: "conference" });
    const [group] = await db("groups").insert({ enterprise_id, name: "Paris" }, ["id"]);
    const groupId = Number(group?.id);
    await db("service_groups").insert({ enterprise_id, service_id: service.id, group_id: groupId });
    expect(await isService(service.service_key)).to.equal(false);
    expect(await isService(service.service_key, { groupIds: [groupId] })).to.equal(true);
    expect(await isService(meetings.service_key)).to.equal(true);
    expect(await isService(meetings.service_key, { role: "viewer" })).to.equal(false);
  });

  it("are those of the enterprise that the page names, if another one has taken its alias", async () => {
    const alias = `v.${mark}.example`;
    const taker = await anEnterprise(database.db);
    await allow("evil.example", alias, taker);
    await allow("crm.example", alias);
    const service = await aService(database.db, { enterprise_id: enterprise.id });
    for (const named of [{ serviceKey: service.service_key }, { cookieHeader: "mine" }]) {
      const found = await embed(enterprise).frameAncestors({ ...nothing, host: alias, ...named });
      expect(found).to.deep.equal([self, "https://crm.example"]);
    }
  });

  it("are only `'self'` if several enterprises have the alias, and nothing names one", async () => {
    const alias = `v.${mark}.example`;
    await allow("crm.example", alias);
    await allow("www.crm.example", alias);
    const ask = () => embed().frameAncestors({ ...nothing, host: alias });
    expect(await ask()).to.deep.equal([self, "https://crm.example", "https://www.crm.example"]);
    await allow("evil.example", alias, await anEnterprise(database.db));
    expect(await ask()).to.deep.equal([self]);
  });

  it("include http origins only if the platform runs on localhost", async () => {
    await allow("localhost:4000");
    const ask = (at: string) =>
      embed(enterprise, at).frameAncestors({ ...nothing, cookieHeader: "mine" });
    for (const at of ["http://localhost:3000", "http://127.0.0.1:3000", "http://[::1]:3000"]) {
      const expected = [self, "https://localhost:4000", "http://localhost:4000"];
      expect(await ask(at), at).to.deep.equal(expected);
    }
    for (const at of [baseUrl, "http://video.example.com", "https://localhost:3000"]) {
      expect(await ask(at), at).to.deep.equal([self, "https://localhost:4000"]);
    }
  });

  describe("origins that may use an API key", () => {
    const ask = (origin: string | undefined, apiKey: string | undefined = enterprise.api_key) =>
      embed().isAllowedOrigin({ apiKey, origin });

    it("are the enterprise's domains and aliases, and our own", async () => {
      await allow("crm.example", `v.${mark}.example`);
      for (const origin of ["https://crm.example", `https://v.${mark}.example`, baseUrl]) {
        expect(await ask(origin), origin).to.equal(true);
      }
    });

    it("exclude all others", async () => {
      await allow("crm.example");
      for (const origin of [
        undefined,
        "",
        "null",
        "http://crm.example",
        "https://crm.example:8443",
        "https://a.crm.example",
        "https://crm.example.evil.example",
        "https://CRM.example/",
      ]) {
        expect(await ask(origin), origin).to.equal(false);
      }
      const other = await anEnterprise(database.db);
      expect(await ask("https://crm.example", other.api_key)).to.equal(false);
      for (const key of ["", "unknown", "\0"]) {
        expect(await ask(baseUrl, key), JSON.stringify(key)).to.equal(false);
      }
      expect(await embed().isAllowedOrigin({ apiKey: undefined, origin: baseUrl })).to.equal(false);
    });
  });
});
