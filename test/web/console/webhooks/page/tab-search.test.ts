import { expect } from "chai";
import { readTabSearch } from "../../../../../web/console/webhooks/page/tab-search.ts";

describe("the address of a part of a webhook's page", () => {
  it("names the part, and nothing else; the first needs no name", () => {
    expect(readTabSearch({ tab: "settings", other: "1" })).to.deep.equal({ tab: "settings" });
    expect(readTabSearch({ tab: "overview" })).to.deep.equal({});
    expect(readTabSearch({ tab: "nowhere" })).to.deep.equal({});
    expect(readTabSearch({})).to.deep.equal({});
  });
});
