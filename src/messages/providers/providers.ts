import type { Channel } from "../../contracts/invitations.ts";
import { createHttpProvider, type HttpGateway } from "./http.ts";
import { type MessageProvider, accepted } from "./provider.ts";
import { createSmtpProvider, mailConnections } from "./smtp.ts";
import { withConcurrencyLimit } from "./concurrency-limit.ts";
import { createTwilioProvider, type TwilioAccount } from "./twilio.ts";

/** What is configured. `provider` is the one in use unless an enterprise chose another. */
export type ProviderSettings = Readonly<{
  mail: Readonly<{ from: string } & ({ provider: "dev" } | { provider: "smtp"; url: string })>;
  sms: Readonly<{
    provider: "http" | "twilio" | "dev";
    http: HttpGateway | undefined;
    twilio: Omit<TwilioAccount, "baseUrl"> | undefined;
  }>;
  /** Public address of the platform, without a slash at the end. */
  baseUrl: string;
}>;

/** What an enterprise chose; null for what the platform is configured with. */
export type ProviderChoice = Readonly<{ mailProvider: string | null; smsProvider: string | null }>;

export type Providers = Readonly<{
  /** The one that sends for an enterprise. A choice that is not configured does not count. */
  of(channel: Channel, choice: ProviderChoice): MessageProvider;
  /** A configured provider of SMS, by its name. */
  named(name: string): MessageProvider | undefined;
  close(): void;
}>;

/** Sends nothing: the mailbox page reads the message from the database. */
const devProvider: MessageProvider = {
  name: "dev",
  send: async ({ uid }) => accepted(uid),
};

export function createProviders(settings: ProviderSettings): Providers {
  const byChannel = {
    email: { all: [...ofMail(settings), devProvider], defaultProvider: settings.mail.provider },
    sms: { all: [...ofSms(settings), devProvider], defaultProvider: settings.sms.provider },
  };
  const find = (channel: Channel, name: string | null): MessageProvider | undefined =>
    byChannel[channel].all.find((provider) => provider.name === name);
  return {
    of: (channel, choice) =>
      find(channel, channel === "email" ? choice.mailProvider : choice.smsProvider) ??
      find(channel, byChannel[channel].defaultProvider) ??
      devProvider,
    named: (name) => find("sms", name),
    close: () => {
      for (const provider of [...byChannel.email.all, ...byChannel.sms.all]) {
        provider.close?.();
      }
    },
  };
}

/** As many mails as there are connections, so that none waits inside the mail client. */
const mailLimit = { maxConcurrent: mailConnections, maxWaitMs: 2_000 };

function ofMail({ mail }: ProviderSettings): MessageProvider[] {
  return mail.provider === "smtp"
    ? [withConcurrencyLimit(createSmtpProvider(mail), mailLimit)]
    : [];
}

const smsLimit = { maxConcurrent: 8, maxWaitMs: 2_000 };

function ofSms({ sms, baseUrl }: ProviderSettings): MessageProvider[] {
  return [
    ...(sms.http === undefined
      ? []
      : [withConcurrencyLimit(createHttpProvider(sms.http), smsLimit)]),
    ...(sms.twilio === undefined
      ? []
      : [withConcurrencyLimit(createTwilioProvider({ ...sms.twilio, baseUrl }), smsLimit)]),
  ];
}
