/** Public operations, each with a valid call and some invalid ones. */
import { createHash, createHmac, randomBytes, randomUUID } from "node:crypto";
import { insertToken, newToken } from "../../../src/accounts/token-store.ts";
import type { ProblemKind } from "../../../src/contracts/problems.ts";
import { randomIds } from "../../../src/platform/ids.ts";
import { createEmailLinks } from "../../../src/subscriptions/alerts/confirmations.ts";
import { aRunningSession } from "../../support/tenant-objects.ts";
import { aTenantConference, aTenantMessage, aTenantUser } from "../../support/tenant-objects.ts";
import { aWholeTicket, tokenFor } from "../../support/tenant.ts";
import { aBrowserCookie, aLogin } from "../../support/tenant-tokens.ts";
import { testKey } from "../../support/secret-box.ts";
import { gatewaySecret, type ApiCall } from "../../support/whole-api.ts";
import type { Ids } from "./kinds.ts";
import type { Fixture } from "../targets/target.ts";

export type PublicCall = Readonly<{ ids?: Ids; call?: ApiCall }>;

export type PublicClassified = Readonly<{
  status: 200 | 201 | 204;
  isReading?: true;
  /** The problem of each invalid call, by a description of the fault. */
  refusals: Readonly<Record<string, ProblemKind>>;
  /** The valid call, or the one with the fault `wrong`. */
  make: (fixture: Fixture, wrong?: string) => Promise<PublicCall>;
}>;

function signed(json: unknown, secret = gatewaySecret): ApiCall {
  const raw = Buffer.from(JSON.stringify(json));
  const signature = createHmac("sha256", secret).update(raw).digest("hex");
  return { raw, headers: { "content-type": "application/json", "x-signature": signature } };
}

function link(name: "secret" | "code") {
  return async ({ db, own }: Fixture, wrong?: string): Promise<PublicCall> => {
    const isDeleted = wrong === "of a deleted ticket";
    const state = wrong === "of a ticket that is over" ? "closed" : "invited";
    const ticket = await aWholeTicket(db, own, { state, isDeleted });
    const unknown = { secret: randomIds.base62(22), code: randomIds.base62(10) };
    return { ids: wrong === "that is unknown" ? unknown : { [name]: ticket[name] } };
  };
}

/** The link of an invited expert. */
async function expertLink({ db, own }: Fixture, wrong?: string): Promise<PublicCall> {
  const state = wrong === "of a ticket that is over" ? "closed" : "inprogress";
  const isDeleted = wrong === "of a deleted ticket";
  const { id, conversationId } = await aWholeTicket(db, own, { state, isDeleted });
  if (wrong !== "of a call that is over") {
    await aRunningSession(db, { enterpriseId: own.id, conversationId });
  }
  const secret = randomIds.base62(22);
  const minutes = (count: number) => new Date(Date.now() + count * 60_000);
  await db("expert_invitations").insert({
    ...{ id: randomUUID(), enterprise_id: own.id, ticket_id: id, created_by: 1 },
    secret_hash: createHash("sha256").update(secret).digest(),
    name: wrong === "without a name" ? null : "Vera Klein",
    created_at: minutes(-60),
    expires_at: minutes(wrong === "that has expired" ? -1 : 60),
  });
  return {
    ids: { secret: wrong === "that is unknown" ? randomIds.base62(22) : secret },
    call: { json: {} },
  };
}

const linkRefusals = {
  "that is unknown": "not_found",
  "of a deleted ticket": "gone",
  "of a ticket that is over": "gone",
} as const;

const sameOrigin = { "sec-fetch-site": "same-origin" };

async function resetToken({ db, own }: Fixture, ttlSeconds: number): Promise<string> {
  const { token, hash } = newToken(randomIds);
  const userId = await aTenantUser(db, own);
  const owner = { userId, enterpriseId: own.id };
  await insertToken(db, { hash, owner, kind: "reset", family: randomUUID(), ttlSeconds });
  return token;
}

/** The token of a confirmation email, or an invalid one. */
function alertLink(isConfirmed: boolean) {
  return async ({ db, own }: Fixture, wrong?: string): Promise<PublicCall> => {
    const email = `ops-${randomUUID()}@partner.example`;
    const [row] = await db("alert_emails")
      .insert({
        enterprise_id: own.id,
        email,
        ...(isConfirmed ? { confirmed_at: new Date() } : {}),
        ...(wrong === "an old token" ? { created_at: new Date(0) } : {}),
      })
      .returning<{ id: number }[]>("id");
    const secretKey = wrong === "another key's token" ? randomBytes(32) : testKey;
    const address = createEmailLinks({ secretKey, baseUrl: "" }).linkTo({
      id: row?.id ?? 0,
      email,
    });
    const token = wrong === "an invented token" ? randomUUID() : address.split("=").pop();
    return { call: { json: { token } } };
  };
}

export const publicRoutes: Readonly<Record<string, PublicClassified>> = {
  "POST /token": {
    status: 200,
    refusals: { "an invented refresh token": "bad_token", "a wrong password": "bad_login" },
    make: async ({ db, own }, wrong) => {
      if (wrong === "a wrong password") {
        const username = own.members.admin.login;
        return { call: { json: { grant_type: "password", username, password: "No-Horse-7" } } };
      }
      const valid = await tokenFor(db, own.members.admin, 3_600, "refresh");
      const refreshToken = wrong === undefined ? valid : randomUUID();
      return { call: { json: { grant_type: "refresh_token", refresh_token: refreshToken } } };
    },
  },
  "POST /browser-session": {
    status: 200,
    refusals: {
      "a wrong password": "bad_login",
      "a call from another site": "csrf",
      "a call from nowhere": "csrf",
    },
    make: async ({ db, own }, wrong) => {
      const password = "Correct-Horse-7";
      const login = await aLogin(db, own, password);
      const sites: Record<string, Record<string, string>> = {
        "a call from another site": { "sec-fetch-site": "cross-site" },
        "a call from nowhere": {},
      };
      const json = { login, password: wrong === "a wrong password" ? "No-Horse-7" : password };
      return { call: { json, headers: sites[wrong ?? ""] ?? sameOrigin } };
    },
  },
  "DELETE /browser-session": {
    status: 204,
    refusals: { "a call from another site": "csrf" },
    make: async ({ db, own }, wrong) => {
      const { cookie } = await aBrowserCookie(db, own.members.agent);
      const site = wrong === undefined ? sameOrigin : { "sec-fetch-site": "cross-site" };
      return { call: { headers: { ...site, cookie } } };
    },
  },
  "POST /password": {
    status: 204,
    refusals: {
      "an access token": "gone",
      "an expired token": "gone",
      "a bad password": "invalid_parameter",
    },
    make: async (fixture, wrong) => {
      const reset = await resetToken(fixture, wrong === "an expired token" ? -1 : 3_600);
      const token = wrong === "an access token" ? fixture.own.members.admin.token : reset;
      const password = wrong === "a bad password" ? "short" : "Correct-Horse-7";
      return { call: { json: { token, password } } };
    },
  },
  "POST /password/request": {
    status: 204,
    refusals: { "no login": "missing_parameter" },
    make: async ({ db, own }, wrong) => ({
      call: {
        json: wrong === undefined ? { login: await aLogin(db, own, "Correct-Horse-7") } : {},
      },
    }),
  },
  "POST /alerts/emails/confirm": {
    status: 200,
    refusals: {
      "an invented token": "gone",
      "another key's token": "gone",
      "an old token": "gone",
    },
    make: alertLink(false),
  },
  "POST /alerts/emails/stop": {
    status: 204,
    refusals: { "an invented token": "gone", "another key's token": "gone" },
    make: alertLink(true),
  },
  "POST /checkUserToken": {
    ...{ status: 200, isReading: true },
    refusals: {
      "another user's token": "bad_token",
      "another enterprise's key": "bad_token",
      "an invented token": "bad_token",
    },
    make: async ({ own, foreign }, wrong) => {
      const { agent, admin } = own.members;
      const { token } = wrong === "another user's token" ? admin : agent;
      const { apiKey } = wrong === "another enterprise's key" ? foreign : own;
      const invented = wrong === "an invented token" ? randomUUID() : token;
      return { call: { json: { apiKey, userId: agent.id, token: invented } } };
    },
  },
  "POST /buttons/{buttonId}/requests": {
    status: 201,
    refusals: { "an entry point that never was": "not_found", "no contact": "missing_parameter" },
    make: async ({ own }, wrong) => ({
      ids: { buttonId: wrong === "an entry point that never was" ? 999_999_999 : own.buttonId },
      call: { json: wrong === "no contact" ? {} : { email: "jane@example.com" } },
    }),
  },
  "GET /guest/tickets/{secret}": { status: 200, refusals: linkRefusals, make: link("secret") },
  "GET /guest/information/{code}": { status: 200, refusals: linkRefusals, make: link("code") },
  "POST /guest/tickets/{secret}/token": {
    ...{ status: 200, isReading: true, refusals: linkRefusals, make: link("secret") },
  },
  "POST /guest/experts/{secret}/token": {
    ...{ status: 200, isReading: true, make: expertLink },
    refusals: {
      ...linkRefusals,
      "that has expired": "gone",
      "of a call that is over": "conflict",
      "without a name": "missing_parameter",
    },
  },
  "POST /guest/conferences/token": {
    ...{ status: 200, isReading: true },
    refusals: {
      "a room that never was": "not_found",
      "the key of another service": "not_found",
      "the key of another enterprise": "not_found",
      "a conference that is over": "gone",
      "a link that was never sent": "forbidden",
    },
    make: async ({ db, own, foreign }, wrong) => {
      const status = wrong === "a conference that is over" ? "ended" : "scheduled";
      const organizerId = own.members.agent.id;
      const { roomName } = await aTenantConference(db, own, { organizerId, status });
      const keys: Record<string, string> = {
        "the key of another service": own.serviceKey,
        "the key of another enterprise": foreign.conferenceServiceKey,
      };
      const json = {
        service_key: keys[wrong ?? ""] ?? own.conferenceServiceKey,
        room_name: wrong === "a room that never was" ? roomName.replace(":", "0:") : roomName,
        ...(wrong === "a link that was never sent" ? { access_token: randomUUID() } : {}),
      };
      return { call: { json } };
    },
  },
  "POST /sms/status/{provider}": {
    status: 204,
    refusals: {
      "no signature": "forbidden",
      "another key": "forbidden",
      "a message that never was": "not_found",
      "a provider that is not configured": "not_found",
    },
    make: async ({ db, own }, wrong) => {
      const { uid } = await aTenantMessage(db, own, "sms", { provider: "http" });
      const id = wrong === "a message that never was" ? randomUUID() : uid;
      const call = signed({ id, status: "delivered" }, wrong === "another key" ? "x" : undefined);
      const provider = wrong === "a provider that is not configured" ? "twilio" : "http";
      const headers = { "content-type": "application/json" };
      return { ids: { provider }, call: wrong === "no signature" ? { ...call, headers } : call };
    },
  },
  "POST /sms/incoming/{provider}": {
    status: 204,
    refusals: { "no signature": "forbidden", "another key": "forbidden" },
    make: async ({ db, own }, wrong) => {
      await aTenantMessage(db, own, "sms", { recipient: "+33612345679" });
      await db("opt_outs").delete();
      const json = { from: "+33612345679", text: "STOP" };
      const call = signed(json, wrong === "another key" ? "x" : undefined);
      const headers = { "content-type": "application/json" };
      return {
        ids: { provider: "http" },
        call: wrong === "no signature" ? { ...call, headers } : call,
      };
    },
  },
};
