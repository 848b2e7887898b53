import { expect } from "chai";
import { loadConfig } from "../../src/config/config.ts";

describe("configuration", () => {
  it("accepts the deprecated provider `outbox` as `dev`, with a warning", () => {
    const { mail, sms, warnings } = loadConfig({ MAIL_PROVIDER: "outbox", SMS_PROVIDER: "outbox" });
    expect([mail.provider, sms.provider]).to.deep.equal(["dev", "dev"]);
    expect(warnings).to.deep.equal([
      "MAIL_PROVIDER=outbox is deprecated: use MAIL_PROVIDER=dev",
      "SMS_PROVIDER=outbox is deprecated: use SMS_PROVIDER=dev",
    ]);
  });

  it("has no warnings by default", () => {
    expect(loadConfig({}).warnings).to.deep.equal([]);
  });
});
