import { expect } from "chai";
import { type ConfigError, loadConfig } from "../../src/config/config.ts";

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

  it("reaches LiveKit's API where the pages reach it, unless told otherwise", () => {
    const keys = { LIVEKIT_API_KEY: "key", LIVEKIT_API_SECRET: "secret" };
    const url = "wss://livekit.example.com";
    expect(loadConfig({}).livekit).to.equal(undefined);
    expect(loadConfig({ ...keys, LIVEKIT_URL: `${url}/` }).livekit).to.deep.equal({
      url,
      apiUrl: "https://livekit.example.com",
      apiKey: "key",
      apiSecret: "secret",
    });
    const inside = { LIVEKIT_API_URL: "http://livekit.internal:7880" };
    expect(loadConfig({ ...keys, ...inside, LIVEKIT_URL: url }).livekit?.apiUrl).to.equal(
      "http://livekit.internal:7880",
    );
  });

  it("requires all settings of LiveKit together", () => {
    const faultsOf = (environment: Record<string, string>): readonly string[] => {
      try {
        loadConfig(environment);
        return [];
      } catch (thrown) {
        return (thrown as ConfigError).faults;
      }
    };
    expect(faultsOf({ LIVEKIT_URL: "ws://127.0.0.1:7880" })).to.deep.equal([
      "LIVEKIT_API_KEY is required with LIVEKIT_URL=ws://127.0.0.1:7880",
      "LIVEKIT_API_SECRET is required with LIVEKIT_URL=ws://127.0.0.1:7880",
    ]);
    expect(faultsOf({ LIVEKIT_API_SECRET: "secret" })).to.deep.equal([
      "LIVEKIT_URL is required with LIVEKIT_API_SECRET",
    ]);
  });
});
