import type { Channel } from "../../contracts/invitations.ts";
import { createHttpProvider, type HttpGateway } from "./http.ts";
import { type MessageProvider, accepted } from "./provider.ts";
import { createSmtpProvider, mailConnections } from "./smtp.ts";
import { createTwilioProvider, type TwilioAccount } from "./twilio.ts";
import { createSemaphore } from "../../platform/concurrency/limiters.ts";

/** Configured providers. `provider` is the default; an enterprise may choose another one. */
export type ProviderSettings = Readonly<{
  mail: Readonly<{ from: string } & ({ provider: "dev" } | { provider: "smtp"; url: string })>;
  sms: Readonly<{
    provider: "http" | "twilio" | "dev";
    http: HttpGateway | undefined;
    twilio: Omit<TwilioAccount, "baseUrl"> | undefined;
  }>;
  /** Public address without a trailing slash. */
  baseUrl: string;
}>;

/** The enterprise's choice. Null: the platform's default. */
export type ProviderChoice = Readonly<{ mailProvider: string | null; smsProvider: string | null }>;

export type Providers = Readonly<{
  /** The provider of an enterprise. A choice that is not configured is ignored. */
  of(channel: Channel, choice: ProviderChoice): MessageProvider;
  /** A configured SMS provider by name. */
  named(name: string): MessageProvider | undefined;
  close(): void;
}>;

/**
 * Bulkhead per provider: a hanging provider must not occupy the whole queue. Messages must not wait
 * inside a client, because there they cannot be cancelled.
 */
export type ConcurrencyRules = Readonly<{
  maxConcurrent: number;
  /** How long a message waits for a permit before the result is `busy`. */
  maxWaitMs: number;
}>;

/** Sends nothing. The mailbox page reads the message from the database. */
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

/** One permit per connection, so that no mail waits inside the mail client. */
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
 * Limits the messages in flight at one provider. Otherwise the messages of a hanging provider would
 * occupy every worker of the queue and block other providers.
 *
 * An aborted message is never sent. After one message has timed out waiting, and until a permit is
 * taken or released, further messages are `busy` at once.
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
