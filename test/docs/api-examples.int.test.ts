import { expect } from "chai";
import { exampleOf, readApiDocs, type ApiDocs } from "../support/api-docs.ts";
import { reviseSubscription } from "../support/explain-api.ts";
import { aService } from "../support/factories.ts";
import { aTenant, aTenantWebhook, type Tenant } from "../support/tenant.ts";
import { useWholeApi } from "../support/whole-api.ts";

/** Names of members down to the second level; for a list, those of its first item. */
function shapeOf(value: unknown, depth = 2): unknown {
  if (Array.isArray(value)) {
    return value.length === 0 ? [] : [shapeOf(value[0], depth)];
  }
  if (typeof value !== "object" || value === null || depth === 0) {
    return "…";
  }
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [
    name,
    shapeOf(member, depth - 1),
  ]);
  return Object.fromEntries(members);
}

describe("the examples of docs/api", () => {
  const api = useWholeApi();
  let docs: ApiDocs;
  let tenant: Tenant;
  before("read the pages", async () => {
    docs = await readApiDocs();
    tenant = await aTenant(api.db);
  });

  const expectShown = (operation: string, { body }: { body: unknown }): void => {
    const described = docs.operations.find((one) => one.operation === operation);
    const shown = described === undefined ? undefined : exampleOf(described);
    expect(shapeOf(body), `${operation}: ${JSON.stringify(body)}`).to.deep.equal(shapeOf(shown));
  };
  /** Calls an operation as the administrator, with the ids in place of its path parameters. */
  const expectReal = async (
    operation: string,
    {
      ids = [],
      query = "",
      json,
    }: { ids?: (number | string)[]; query?: string; json?: unknown } = {},
  ) => {
    const left = [...ids];
    const path = operation.replaceAll(/\{\w+\}/gu, () => String(left.shift()));
    const { token } = tenant.members.admin;
    const answer = await api.call(path + query, { token, ...(json === undefined ? {} : { json }) });
    expectShown(operation, answer);
    return answer.body;
  };

  it("match real tickets and timelines", async () => {
    const json = {
      ...{ agent: tenant.members.agent.login, phone: "+33612345678", email: "jane@example.com" },
      ...{ firstname: "Jane", lastname: "Doe", company: "Example Ltd", scope: "sso" },
    };
    const { id } = await expectReal("POST /api/tickets", { json });
    const ids = [id];
    await expectReal("GET /api/tickets");
    await expectReal("GET /api/tickets/{ticketId}", { ids });
    const { token } = tenant.members.admin;
    await api.call(`PATCH /api/tickets/${id}`, { token, json: { priority: 3 } });
    const query = "?eventType=ticket.priorityChanged";
    await expectReal("GET /api/tickets/{ticketId}/events", { ids, query });
    const ofTenant = "GET /api/enterprises/{enterpriseId}";
    await expectReal(`${ofTenant}/tickets-stats`, { ids: [tenant.id] });
    await expectReal(`${ofTenant}/tickets-stats/rows`, { ids: [tenant.id] });
    await expectReal(`${ofTenant}/tickets-stats/summary`, { ids: [tenant.id] });
    await expectReal("GET /api/conversations");
  });

  it("match real conferences and messages", async () => {
    await aService(api.db, { enterprise_id: tenant.id, kind: "conference" });
    const json = { participants: "jane@example.com", invite: true, scope: "sso" };
    const { id } = await expectReal("POST /api/conferences", { json });
    const ids = [id];
    await expectReal("GET /api/conferences/{conferenceId}", { ids });
    await expectReal("GET /api/conferences");
    await expectReal("GET /api/conferences/{conferenceId}/participants", { ids });
    await expectReal("GET /api/conferences/{conferenceId}/checkAccess", { ids });
    await expectReal("POST /api/conferences/{conferenceId}/room-token", { ids });
    await expectReal("GET /api/emails");
    await expectReal("POST /api/sms", { json: { to: "+33612345678", text: "Hello" } });
  });

  it("match real accounts", async () => {
    await expectReal("GET /api/users/me");
    await expectReal("GET /api/users");
    await expectReal("GET /api/services");
    const ids = [tenant.id];
    await expectReal("GET /api/enterprises/{enterpriseId}", { ids });
    await expectReal("GET /api/enterprises/{enterpriseId}/user-groups", { ids });
    await expectReal("GET /api/enterprises/{enterpriseId}/quota", { ids });
    const text = "{{enterprise}}: {{link}}";
    const json = { kind: "ticket", channel: "sms", language: "en", text };
    await expectReal("PUT /api/enterprises/{enterpriseId}/templates", { ids, json });
  });

  it("match real webhooks and deliveries", async () => {
    const headers = [{ name: "X-Key", value: "v" }];
    const oauth2 = { tokenUrl: "https://127.0.0.1/token", clientId: "a", clientSecret: "b" };
    const json = {
      ...{ filters: ["*"], headers, oauth2, signatures: ["v1", "v1a"] },
      conditions: { "props.state": "new" },
    };
    await expectReal("POST /api/webhooks", { json });
    await expectReal("GET /api/webhooks");
    await expectReal("GET /api/webhooks/event-types");
    const { id, deliveryId } = await aTenantWebhook(api.db, tenant);
    await expectReal("GET /api/webhooks/{webhookId}/deliveries", { ids: [id] });
    await expectReal("GET /api/webhooks/{webhookId}/deliveries/{deliveryId}", {
      ids: [id, deliveryId],
    });
    await expectReal("GET /api/webhooks/deliveries");
    await expectReal("GET /api/webhooks/{webhookId}/health", { ids: [id] });
    await expectReal("POST /api/webhooks/{webhookId}/test", { ids: [id], json: {} });
  });

  it("match real explanations and reconciliations", async () => {
    const { id, eventId } = await aTenantWebhook(api.db, tenant);
    await expectReal("POST /api/webhooks/filter-test", {
      json: { filters: ["ticket.*", "conversation.*"] },
    });
    await expectReal("GET /api/webhooks/explain", { query: `?event_id=${eventId}` });
    await api.db("deliveries").where({ subscription_id: id }).update({ last_result: "5xx" });
    const cause = { reason: "switched off", changedBy: tenant.members.admin.id };
    await reviseSubscription(api.db, id, { is_active: false }, cause);
    await expectReal("GET /api/webhooks/{webhookId}/explain", { ids: [id] });
    const { token } = tenant.members.superadmin;
    const path = "GET /api/platform/webhooks/{webhookId}/explain";
    expectShown(path, await api.call(path.replace("{webhookId}", String(id)), { token }));
    await reviseSubscription(api.db, id, { is_active: true });
    await api.db("deliveries").where({ subscription_id: id }).delete();
    await expectReal("GET /api/webhooks/reconcile");
  });

  it("match real replays, pulls and redactions", async () => {
    const { id, deliveryId, eventId } = await aTenantWebhook(api.db, tenant);
    await expectReal("GET /api/webhooks/{webhookId}/events", { ids: [id] });
    // Simulates two removed deliveries, which the manifest must show.
    const health = api.db("subscription_health").where({ subscription_id: id });
    await health.update({ last_sequence: 3 });
    await expectReal("GET /api/webhooks/{webhookId}/manifest", { ids: [id] });
    await api
      .db("deliveries")
      .where({ id: deliveryId })
      .update({ state: "dead", ended_at: new Date(Date.now() - 1_000) });
    const ids = [id, deliveryId];
    await expectReal("POST /api/webhooks/{webhookId}/replay/preview", { ids, json: {} });
    await expectReal("POST /api/webhooks/{webhookId}/deliveries/{deliveryId}/replay", { ids });
    await expectReal("GET /api/webhooks/replays");
    await expectReal("POST /api/webhooks/events/{eventId}/expunge", { ids: [eventId] });
  });
});
