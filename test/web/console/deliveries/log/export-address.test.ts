import { expect } from "chai";
import { exportAddress } from "../../../../../web/console/deliveries/log/export-address.ts";

describe("the URL of an export", () => {
  it("has the filters of the search, on every page", () => {
    const address = exportAddress(
      { status: "dead,retry", text: "a&b", replay: 7, cursor: "x", limit: 5 },
      "csv",
    );
    const { pathname, searchParams } = new URL(address, "http://localhost");
    expect(pathname).to.equal("/api/webhooks/deliveries/export");
    expect(Object.fromEntries(searchParams)).to.deep.equal({
      ...{ status: "dead,retry", text: "a&b", replay: "7", format: "csv" },
    });
  });
});
