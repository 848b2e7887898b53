import { expect } from "chai";
import { noCreateValues, toBody } from "../../../../../web/console/tickets/create/create-body.ts";

describe("the body of a new ticket", () => {
  it("contains only the filled-in fields", () => {
    const values = { ...noCreateValues, agent: "li@example.com", subject: "  ", priority: "2" };
    expect(toBody(values, undefined)).to.deep.equal({ agent: "li@example.com", invite: true });
  });

  it("has trimmed texts, and a numeric priority", () => {
    const values = { ...noCreateValues, subject: " Boiler ", priority: "4", language: "fr" };
    expect(toBody(values, undefined)).to.deep.include({
      subject: "Boiler",
      priority: 4,
      language: "fr",
    });
  });
});
