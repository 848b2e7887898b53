/** The chapter "Resources and their fields": responses are compared as a whole, key by key. */
import { expect } from "chai";
import { queryOf, succeed, whoIs } from "./calls.ts";
import { useService } from "./service.ts";
import { aTimestamp, anInteger, expectWhole, like } from "./shapes.ts";
import { conferenceTests } from "./resources-and-their-fields/conferences.ts";
import { mediaTests } from "./resources-and-their-fields/media.ts";
import { statisticsTests } from "./resources-and-their-fields/statistics.ts";
import { ticketTests } from "./resources-and-their-fields/tickets.ts";

describe("the reference: resources and their fields", () => {
  const service = useService();

  ticketTests(service);
  mediaTests(service);
  statisticsTests(service);
  conferenceTests(service);

  describe("session statistics", () => {
    it("CS-01..03, CS-14: the envelope of /session and /sessions, by default today", async () => {
      const day = new Date().toISOString().slice(0, 10);
      const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
      const today = {
        total: anInteger,
        since: `${day}T00:00:00+00:00`,
        until: `${next}T00:00:00+00:00`,
        data: [],
      };
      expectWhole(await succeed(service.admin, "GET /api/session"), today);
      expectWhole(await succeed(service.admin, "GET /api/sessions"), today);
      const query = queryOf({ since: "2026-11-01T10:00:00+02:00", until: "2026-11-01" });
      expect(await succeed(service.admin, `GET /api/session?${query}`)).to.deep.equal({
        total: 0,
        since: "2026-11-01T08:00:00+00:00",
        until: "2026-11-02T00:00:00+00:00",
        data: [],
      });
    });
  });

  describe("the current user and the token", () => {
    it("U-01..10: what the agent module needs, under /api/v3 too", async () => {
      const { url, agent } = service;
      const me = await succeed(agent, "GET /api/v2/users/me");
      expectWhole(me, {
        photo_url: like(/^https?:\/\//u),
        enterpriseId: anInteger,
        userId: anInteger,
        apiKey: like(/^[0-9a-f]{32}$/u),
        nickname: like(/./u),
        token: agent.token,
        is_agent: true,
        ccs: new URL(url).hostname,
        mail: like(/^[^@]+@[^@]+$/u),
      });
      expect(await succeed(agent, "GET /api/v3/users/me")).to.deep.equal(me);
      expect((await fetch(me.photo_url)).status).to.equal(200);
      expect((await whoIs(service.admin)).is_agent).to.equal(false);
    });

    it("K-01..03: a token has its creation time and lifetime in seconds", async () => {
      const password = process.env["SERVICE_AGENT"]?.split(":")[1] ?? "Battery-staple-7";
      const query = queryOf({ grant_type: "password", username: service.agent.login, password });
      expectWhole(await succeed(service, `POST /api/token?${query}`), {
        access_token: like(/^[0-9A-Za-z_-]{43}$/u),
        created_at: aTimestamp,
        expires_in: 86_400,
        token_type: "Bearer",
      });
    });
  });
});
