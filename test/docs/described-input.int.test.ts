import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "chai";
import { aTenant, type Tenant } from "../support/tenant.ts";
import { expectFieldFault } from "../support/problem-shape.ts";
import { useWholeApi } from "../support/whole-api.ts";

type Schema = Record<string, unknown>;
type Described = {
  parameters: { name: string; schema: Schema }[];
  requestBody?: { content: { "application/json": { schema: { properties: Schema } } } };
};

/** Values that are rejected in the body or the query, and similar ones that are accepted. */
const cases = [
  ["POST /api/tickets", "startTime", "1969-12-31T10:00:00Z", ""],
  ["PATCH /api/tickets/{ticketId}", "startTime", "", "2026-12-01T10:00:00Z"],
  ["POST /api/conferences", "participants", "", "ann@example.com"],
  ["PATCH /api/conferences/{conferenceId}", "startTime", "", "2026-12-01T10:00:00Z"],
  ["PATCH /api/conferences/{conferenceId}", "participants", "", "ann@example.com"],
  ["PATCH /api/alerts", "failing_minutes", 4, 0],
  ["PATCH /api/alerts", "failing_minutes", 7_141, 7_140],
  ["PATCH /api/alerts", "emails", ["ann"], ["ann@example.com"]],
  ["GET /api/sms", "since", "0099-12-31", "0100-01-02"],
  ["GET /api/webhooks/replays", "webhook", "0", "1, 2"],
  ["GET /api/webhooks/deliveries/export", "webhook", "a", "1"],
] as const;

describe("the schema of the input", () => {
  const api = useWholeApi();
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  let tenant: Tenant;
  const ids: Record<string, unknown> = {};
  let paths: Record<string, Record<string, Described>>;
  before("an enterprise, and the description", async () => {
    tenant = await aTenant(api.db);
    ({ paths } = (await api.call("GET /api/openapi.json")).body);
    const { agent, admin } = tenant.members;
    const ticket = { agent: agent.login, email: "ann@example.com" };
    const meeting = { participants: "ann@example.com" };
    const { token } = admin;
    ids["ticketId"] = (await api.call("POST /api/tickets", { token, json: ticket })).body.id;
    ids["conferenceId"] = (
      await api.call("POST /api/conferences", { token, json: meeting })
    ).body.id;
  });

  const schemaOf = (operation: string, field: string): Schema => {
    const [method = "", path = ""] = operation.split(" ");
    const { parameters, requestBody } = paths[path]?.[method.toLowerCase()] ?? {};
    const ofBody = requestBody?.content["application/json"].schema.properties[field];
    const ofQuery = parameters?.find(({ name }) => name === field)?.schema;
    return (ofBody ?? ofQuery ?? {}) as Schema;
  };

  const send = async (operation: string, field: string, value: unknown) => {
    const { token } = tenant.members.admin;
    return operation.startsWith("GET")
      ? api.call(`${operation}?${field}=${encodeURIComponent(String(value))}`, { token })
      : api.call(operation, { token, json: { [field]: value } });
  };

  for (const [operation, field, refused, taken] of cases) {
    const name = `${operation} refuses ${field} ${JSON.stringify(refused)}, and says so`;
    it(name, async () => {
      const validate = ajv.compile(schemaOf(operation, field));
      expect([validate(refused), validate(taken)]).to.deep.equal([false, true]);
      const path = operation.replaceAll(/\{(\w+)\}/gu, (_, id: string) => String(ids[id]));
      const fields = expectFieldFault(await send(path, field, refused));
      expect(fields.map((one) => one.replace(/\[\d+\]$/u, ""))).to.include(field);
    });
  }
});
