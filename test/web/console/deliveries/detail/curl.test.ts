import { execFileSync } from "node:child_process";
import { expect } from "chai";
import {
  asComments,
  maskedHeaders,
  quoteForShell,
  toCurl,
} from "../../../../../web/console/deliveries/detail/curl.ts";

describe("a request as a curl command", () => {
  it("is quoted as one shell word", () => {
    for (const text of ["it's", '"$HOME" `id` \\ !', "two\nlines", "", "l’été ✓", "a'''b"]) {
      const said = execFileSync("sh", ["-c", `printf %s ${quoteForShell(text)}`], {
        encoding: "utf8",
      });
      expect(said).to.equal(text);
    }
  });

  it("sends the original body, and headers without a value too", () => {
    const command = toCurl({
      url: "https://crm.example.com/hook?a=1&b=2",
      headers: { "Content-Type": "application/JSON", "X-Empty": "", "Content-Length": "7" },
      body: '@{"a":1}',
    });
    expect(command.split(" \\\n  ")).to.deep.equal([
      "curl -i -X POST 'https://crm.example.com/hook?a=1&b=2'",
      "-H 'Accept:'",
      "-H 'Content-Type: application/JSON'",
      "-H 'X-Empty;'",
      `--data-raw '@{"a":1}'`,
    ]);
  });

  it("names the headers whose values are masked", () => {
    expect(maskedHeaders({ "X-Key": "••••", "webhook-id": "evt_1" })).to.deep.equal(["X-Key"]);
  });

  it("lists what is missing in comments", () => {
    const text = `${asComments(["Replace X-Key\nrm -rf /", "it's $(id) `id`"])}printf done`;
    expect(execFileSync("sh", ["-c", text], { encoding: "utf8" })).to.equal("done");
  });
});
