import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { createSsoTokens } from "../../src/accounts/service.ts";
import { hashToken } from "../../src/accounts/identities.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { aTenant, aTenantTicket, tokenFor } from "../support/tenant.ts";
import { expectProblem } from "../support/problem-shape.ts";
import { useWholeApi } from "../support/whole-api.ts";
import { createWriteMarks } from "../support/snapshot.ts";
import { allOperations, operations } from "./routes.ts";
import { publicRoutes } from "./routes/public.ts";
import { anyIds, pathOf } from "./targets.ts";
import { useFixture } from "./fixture.ts";

/** Plural nouns of paths, which the API also accepts in the singular. */
const plurals = new Set([
  ...["tickets", "webhooks", "users", "enterprises", "medias", "conversations", "sessions"],
  ...["services", "conferences", "emails", "events", "groups", "user-groups", "domains"],
  ...["buttons", "templates", "messages", "participants", "invitations", "requests"],
  ...["position-requests", "recordings", "chunks", "tokens", "devices", "replays"],
]);

describe("the authentication of every operation", () => {
  const api = useWholeApi();
  const fixture = useFixture(api);
  let marks: () => Promise<string>;
  before("list the tables", async () => {
    marks = await createWriteMarks(api.db);
  });

  it("serves every operation in every version, in singular and in plural", async () => {
    const singular = (path: string): string =>
      path
        .split("/")
        .map((word) => (plurals.has(word) ? word.slice(0, -1) : word))
        .join("/")
        .replace("/deliveries", "/delivery");
    const expectServed = async (what: string, isPublic: boolean): Promise<void> => {
      const { status, body } = await api.call(what);
      if (isPublic) {
        // The response to an empty call varies, but the path must be found.
        expect(status, what).to.be.oneOf([400, 403, 404]);
        expect(body.detail, what).to.not.equal("The path is not part of the API.");
      } else {
        expect({ status, code: body.code }, what).to.deep.equal({ status: 401, code: 3 });
      }
    };
    for (const operation of allOperations) {
      const [method = "", pattern = ""] = operation.split(" ");
      const path = pathOf(pattern, anyIds);
      for (const form of new Set([path, singular(path)])) {
        for (const base of ["/api", "/api/v2", "/api/v3"]) {
          await expectServed(`${method} ${base}${form}`, operation in publicRoutes);
        }
      }
    }
  });

  describe("without a valid token", () => {
    let bad: Record<string, string>;
    before("make invalid tokens", async () => {
      const { db } = api;
      const { admin } = fixture.get.own.members;
      const dormant = await aTenant(db);
      await db("users").where({ enterprise_id: dormant.id }).update({ is_active: false });
      const revoked = await tokenFor(db, admin);
      await api.call("DELETE /api/token", { token: revoked });
      const ticketId = await aTenantTicket(db, fixture.get.own, { agentId: admin.id });
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

    for (const [operation] of operations) {
      it(`${operation} answers 401, for any input`, async () => {
        const [method = "", pattern = ""] = operation.split(" ");
        const before = await marks();
        const junk =
          method === "GET" ? {} : { raw: "{", headers: { "content-type": "application/json" } };
        const ask = (path: string, token?: string, headers: Record<string, string> = {}) =>
          api.call(`${method} /api${path}`, {
            ...junk,
            token,
            headers: { ...junk.headers, ...headers },
          });
        const path = pathOf(pattern, anyIds);
        const { token } = fixture.get.own.members.admin;
        for (const answer of [
          await ask(path),
          await ask(pattern.replaceAll(/\{\w+\}/gu, "x")),
          await ask(path, undefined, { authorization: `Basic ${token}` }),
          await ask(path, undefined, { authorization: token }),
          await ask(path, undefined, { cookie: `access_token=${token}` }),
        ]) {
          expectProblem(answer, "no_token", path);
          expect(answer.headers.get("www-authenticate")).to.equal('Bearer realm="api"');
        }
        for (const [name, spoilt] of Object.entries(bad)) {
          const answer = await ask(path, spoilt);
          expectProblem(answer, "bad_token", `${name} on ${path}`);
          expect(answer.headers.get("www-authenticate")).to.contain('error="invalid_token"');
        }
        expect(await marks()).to.equal(before);
      });
    }

    it("POST /token answers, and ignores a token", async () => {
      const json = { grant_type: "password", username: "nobody", password: "nothing" };
      const { token } = fixture.get.own.members.admin;
      for (const call of [{ json }, { json, token }]) {
        expectProblem(await api.call("POST /api/token", call), "bad_login");
      }
    });
  });
});
