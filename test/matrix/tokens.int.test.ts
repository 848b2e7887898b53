import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { createSsoTokens } from "../../src/accounts/sso-tokens.ts";
import { hashToken } from "../../src/accounts/token.ts";
import { inTransaction } from "../../src/platform/db/pool.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { aHouse, aHouseTicket, tokenFor } from "../support/house.ts";
import { expectProblem } from "../support/problem-shape.ts";
import { useWholeApi } from "../support/whole-api.ts";
import { isPublic, operations } from "./routes.ts";
import { pathOf, snapshot, type World } from "./targets.ts";

describe("the door of every operation", () => {
  const api = useWholeApi();
  let world: World;
  before("fill an enterprise", async () => {
    const own = await aHouse(api.db);
    world = { db: api.db, own, foreign: own };
  });

  const anyIds = { ticketId: 1, webhookId: 1, deliveryId: 1 };

  it("serves every operation in every version, in singular and in plural", async () => {
    const singular = (path: string): string =>
      path
        .replace(/\/(ticket|webhook|user|event)s(?=\/|$)/gu, "/$1")
        .replace("deliveries", "delivery");
    for (const [operation, route] of operations) {
      const [method = "", pattern = ""] = operation.split(" ");
      const path = pathOf(pattern, anyIds);
      for (const form of [path, singular(path)]) {
        for (const base of ["/api", "/api/v2", "/api/v3"]) {
          const answer = await api.call(`${method} ${base}${form}`);
          const kind = isPublic(route) ? "missing_parameter" : "no_token";
          expectProblem(answer, kind, `${method} ${base}${form}`);
        }
      }
    }
  });

  describe("without a good token", () => {
    let bad: Record<string, string>;
    before("spoil some tokens", async () => {
      const { db } = api;
      const { admin } = world.own.members;
      const dormant = await aHouse(db);
      await db("users").where({ enterprise_id: dormant.id }).update({ is_active: false });
      const revoked = await tokenFor(db, admin);
      await api.call("DELETE /api/token", { token: revoked });
      const ticketId = await aHouseTicket(db, world.own, { agentId: admin.id });
      const sso = createSsoTokens({ ids: randomIds });
      const expiresAt = new Date(Date.now() + 3_600_000);
      bad = {
        "an invented one": randomUUID(),
        "an expired one": await tokenFor(db, admin, -1),
        "a revoked one": revoked,
        "one of a user who was switched off": dormant.members.admin.token,
        "a refresh token": await tokenFor(db, admin, 3_600, "refresh"),
        "a token of the agent's link": await inTransaction(db, (trx) =>
          sso.issueSsoToken(trx, {
            ...{ enterpriseId: admin.enterpriseId, userId: admin.id, ticketId, expiresAt },
          }),
        ),
        "the hash of a good one": hashToken(admin.token).toString("base64url"),
      };
    });

    for (const [operation, route] of operations.filter(([, one]) => !isPublic(one))) {
      it(`${operation} answers 401, whatever is asked`, async () => {
        const [method = "", pattern = ""] = operation.split(" ");
        const before = await snapshot(world);
        const junk =
          method === "GET" ? {} : { raw: "{", headers: { "content-type": "application/json" } };
        for (const path of [pathOf(pattern, anyIds), pattern.replaceAll(/\{\w+\}/gu, "x")]) {
          const ask = (token?: string, headers: Record<string, string> = {}) =>
            api.call(`${method} /api${path}`, {
              ...junk,
              token,
              headers: { ...junk.headers, ...headers },
            });
          const { token } = world.own.members.admin;
          for (const answer of [
            await ask(),
            await ask(undefined, { authorization: `Basic ${token}` }),
            await ask(undefined, { authorization: token }),
            await ask(undefined, { cookie: `access_token=${token}` }),
          ]) {
            expectProblem(answer, "no_token", path);
            expect(answer.headers.get("www-authenticate")).to.equal('Bearer realm="api"');
          }
          for (const [name, spoilt] of Object.entries(bad)) {
            const answer = await ask(spoilt);
            expectProblem(answer, "bad_token", `${name} on ${path}`);
            expect(answer.headers.get("www-authenticate")).to.contain('error="invalid_token"');
          }
        }
        expect(await snapshot(world)).to.equal(before);
        expect(route.access).to.not.equal("public");
      });
    }

    it("POST /token answers, and does not look at a token", async () => {
      const json = { grant_type: "password", username: "nobody", password: "nothing" };
      const { token } = world.own.members.admin;
      for (const call of [{ json }, { json, token }]) {
        expectProblem(await api.call("POST /api/token", call), "bad_login");
      }
    });
  });
});
