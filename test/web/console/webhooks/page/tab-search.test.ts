import { expect } from "chai";
import { readTabSearch } from "../../../../../web/console/webhooks/page/tab-search.ts";

describe("the address of a tab of the webhook page", () => {
  it("names the tab, except the first one", () => {
    expect(readTabSearch({ tab: "settings", other: "1" })).to.deep.equal({ tab: "settings" });
    expect(readTabSearch({ tab: "overview" })).to.deep.equal({});
    expect(readTabSearch({ tab: "nowhere" })).to.deep.equal({});
    expect(readTabSearch({})).to.deep.equal({});
  });
});
