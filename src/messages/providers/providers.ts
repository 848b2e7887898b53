import type { Channel } from "../../contracts/invitations.ts";
import { createHttpProvider, type HttpGateway } from "./http.ts";
import { type MessageProvider, accepted } from "./provider.ts";
import { createSmtpProvider, mailConnections } from "./smtp.ts";
import { createTwilioProvider, type TwilioAccount } from "./twilio.ts";
import { createSemaphore } from "../../platform/concurrency/limiters.ts";

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

/**
 * A bulkhead for each provider: a hanging provider must not occupy the whole queue, and messages
 * must not wait inside a client, from which they cannot be cancelled.
 */
export type ConcurrencyRules = Readonly<{
  maxConcurrent: number;
  /** How long a message waits for a permit before it is reported as busy. */
  maxWaitMs: number;
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

/**
 * Bounds the messages in flight at one provider. Otherwise those of a provider that hangs would
 * occupy every worker of the queue, and messages of other providers would wait behind them.
 *
 * An aborted message is never sent. Once a message waited in vain and no permit was taken or
 * returned meanwhile, the next ones are busy at once instead of waiting as long.
 */
export function withConcurrencyLimit(
  provider: MessageProvider,
  { maxConcurrent, maxWaitMs }: ConcurrencyRules,
): MessageProvider {
  const permits = createSemaphore(maxConcurrent);
  let progress = 0;
  let isStuck = false;

  const noteProgress = (): void => {
    progress += 1;
    isStuck = false;
  };

  const acquire = async (signal: AbortSignal): Promise<boolean> => {
    if (permits.tryAcquire()) {
      noteProgress();
      return true;
    }
    if (isStuck) {
      return false;
    }
    const before = progress;
    const isAcquired = await permits.acquire({ timeoutMs: maxWaitMs, signal });
    if (!isAcquired && !signal.aborted && progress === before) {
      isStuck = true;
    }
    return isAcquired;
  };

  return {
    ...provider,
    send: async (message, signal) => {
      signal.throwIfAborted();
      if (!(await acquire(signal))) {
        signal.throwIfAborted();
        return { kind: "busy" };
      }
      try {
        return await provider.send(message, signal);
      } finally {
        noteProgress();
        permits.release();
      }
    },
  };
}
