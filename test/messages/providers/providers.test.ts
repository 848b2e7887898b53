import { expect } from "chai";
import {
  createProviders,
  type ProviderSettings,
} from "../../../src/messages/providers/providers.ts";
import { devOnly } from "../../support/messages.ts";
import { httpGateway, twilioAccount } from "../../support/sms-gateway.ts";

const http = { ...httpGateway, url: "http://127.0.0.1:9/" };
const twilio = { ...twilioAccount, apiUrl: "http://127.0.0.1:9" };

const usual = { mailProvider: null, smsProvider: null };

function nameOf(
  settings: Partial<ProviderSettings>,
  channel: "email" | "sms",
  choice: { mailProvider: string | null; smsProvider: string | null } = usual,
): string {
  const providers = createProviders({ ...devOnly, ...settings });
  try {
    return providers.of(channel, choice).name;
  } finally {
    providers.close();
  }
}

describe("the provider of a message", () => {
  const all: Partial<ProviderSettings> = {
    mail: { provider: "smtp", url: "smtp://127.0.0.1:9", from: "a@b.example" },
    sms: { provider: "twilio", http, twilio },
  };

  it("is the platform's default", () => {
    expect(nameOf({}, "email")).to.equal("dev");
    expect(nameOf({}, "sms")).to.equal("dev");
    expect(nameOf(all, "email")).to.equal("smtp");
    expect(nameOf(all, "sms")).to.equal("twilio");
  });

  it("is the enterprise's choice if that one is configured", () => {
    expect(nameOf(all, "sms", { ...usual, smsProvider: "http" })).to.equal("http");
    expect(nameOf(all, "sms", { ...usual, smsProvider: "dev" })).to.equal("dev");
    expect(nameOf(all, "email", { ...usual, mailProvider: "dev" })).to.equal("dev");
    expect(nameOf({}, "sms", { ...usual, smsProvider: "twilio" })).to.equal("dev");
    expect(nameOf({}, "email", { ...usual, mailProvider: "smtp" })).to.equal("dev");
  });

  it("is found by name for callbacks, if it is configured", () => {
    const providers = createProviders({
      ...devOnly,
      sms: { provider: "http", http, twilio: undefined },
    });
    expect(providers.named("http")?.callbacks).to.be.an("object");
    expect(providers.named("twilio")).to.equal(undefined);
    expect(providers.named("dev")?.callbacks).to.equal(undefined);
  });
});
