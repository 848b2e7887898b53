import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { createValidators } from "../../src/http/validate.ts";
import {
  answerMembersOf,
  fieldColumns,
  inputsOf,
  parseFields,
  readFields,
  ticketFields,
} from "../../src/tickets/fields.ts";
import { createdTicketAnswer, ticketAnswer, ticketListAnswer } from "../../src/tickets/present.ts";
import {
  changeTicketSchema,
  createTicketSchema,
  ticketRequestSchema,
} from "../../src/tickets/schema.ts";

const columns = Object.values(ticketFields).map(({ column }) => column as string);

const full = {
  email: "jane@example.com",
  phone: "+33612345678",
  reference: "R-1",
  name: "Washing machine",
  firstname: "Jane",
  lastname: "Doe",
  company: "ACME",
  language: "fr",
  subject: "It leaks",
  type: "repair",
  description: "Since Monday",
  priority: 4,
} as const;

function propertiesOf(schema: unknown): readonly string[] {
  return Object.keys((schema as { properties: object }).properties);
}

describe("table of ticket fields", () => {
  it("names columns of the database, each once", async () => {
    const schema = await readFile("migrations/schema.sql", "utf8");
    const table = /^CREATE TABLE tickets \((.*?)^\);/msu.exec(schema)?.[1] ?? "";
    const known = [...table.matchAll(/^ {2}(\w+) /gmu)].map(([, name]) => name);
    expect(known).to.include.members(columns);
    expect(new Set(columns).size).to.equal(columns.length);
  });

  it("determines which bodies and answers have a field", () => {
    expect(Object.keys(full)).to.have.members(Object.keys(ticketFields));
    const bodies = {
      create: createTicketSchema,
      change: changeTicketSchema,
      request: ticketRequestSchema,
    } as const;
    for (const [body, schema] of Object.entries(bodies)) {
      const names = Object.keys(inputsOf(body as keyof typeof bodies));
      expect(propertiesOf(schema), body).to.include.members(names);
    }
    const { items } = (ticketListAnswer as { properties: { data: { items: unknown } } }).properties
      .data;
    const answers = { created: createdTicketAnswer, single: ticketAnswer, item: items } as const;
    for (const [answer, schema] of Object.entries(answers)) {
      const names = Object.keys(answerMembersOf(answer as keyof typeof answers));
      expect(propertiesOf(schema), answer).to.include.members(names);
    }
  });

  it("round-trips a full body through its row", () => {
    const validate = createValidators()({ method: "POST", body: createTicketSchema });
    const sent = { agent: "ann@example.com", ...full };
    const { body } = validate({ params: {}, query: {}, body: sent });
    expect(body).to.deep.equal(sent);
    const fields = parseFields(full);
    const row = fieldColumns(fields);
    expect(Object.keys(row)).to.have.members(columns);
    expect(Object.values(row)).to.have.members(Object.values(full));
    expect(readFields(row)).to.deep.equal(fields);
  });

  it("fills an empty ticket with initial values", () => {
    const fields = parseFields({});
    expect(fields).to.deep.equal({
      reference: "",
      name: null,
      language: null,
      subject: null,
      type: "",
      description: null,
      priority: 2,
      requestor: { email: null, phone: null, firstname: null, lastname: null, company: null },
    });
    expect(readFields(fieldColumns(fields))).to.deep.equal(fields);
  });

  it("keeps absent fields in a change and clears empty ones", () => {
    const fields = parseFields(full);
    expect(parseFields({}, fields)).to.deep.equal(fields);
    expect(parseFields({ subject: "", phone: null, language: null }, fields)).to.deep.equal({
      ...fields,
      subject: null,
      language: null,
      requestor: { ...fields.requestor, phone: null },
    });
  });

  it("names the field with an invalid contact", () => {
    expect(() => parseFields({ phone: "0612345678" })).to.throw(/phone field is invalid/u);
    expect(() => parseFields({ email: "nobody" })).to.throw(/email field is invalid/u);
  });
});
