import { expect } from "chai";
import { keepLastAgent } from "../../../../../web/console/tickets/create/last-agent.ts";

describe("the last agent", () => {
  it("is kept as the form reads it", () => {
    const kept: unknown[] = [];
    keepLastAgent("li@demo.example", () => ({ setItem: (...item) => void kept.push(item) }));
    expect(kept).to.deep.equal([["sightline.last-agent", '"li@demo.example"']]);
  });

  it("is not kept if the browser refuses storage, and nothing fails", () => {
    const refused = (): never => {
      throw new DOMException("Access is denied", "SecurityError");
    };
    expect(() => keepLastAgent("li@demo.example", refused)).not.to.throw();
  });
});
