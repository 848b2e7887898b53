import { createTransport, type Transporter } from "nodemailer";
import type { Channel } from "../../contracts/invitations.ts";
import { withDeadline } from "../../platform/concurrency/async.ts";
import { createSemaphore } from "../../platform/concurrency/limiters.ts";
import type { Message } from "../model.ts";
import { accepted, type MessageProvider, type ProviderResult, refused } from "./provider.ts";
import {
  createHttpProvider,
  createTwilioProvider,
  type HttpGateway,
  type TwilioAccount,
} from "./sms.ts";

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

const mailConnections = 5;

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

/**
 * Mail by SMTP over a few pooled connections. The Message-ID is derived from the message's uid, so
 * that servers and mailboxes can deduplicate a mail that is sent twice.
 */
export type SmtpServer = Readonly<{
  /** `smtps://login:password@host:465`, or `smtp://…` with STARTTLS. */
  url: string;
  from: string;
  /** For a server certificate that is signed by a private CA or has another name. */
  tls?: Readonly<{ ca: Buffer; servername: string }>;
  /** Of each step until the server's greeting. */
  timeoutMs?: number;
  /** Of each reply after that. */
  replyTimeoutMs?: number;
  /** Of all steps together. */
  sendTimeoutMs?: number;
}>;

/**
 * Less than the time limit of a task: a mail that is still being sent when its task is tried again
 * would arrive twice.
 */
const defaultSendTimeoutMs = 40_000;

export function createSmtpProvider(server: SmtpServer): MessageProvider {
  const transport = transportOf(server);
  const { sendTimeoutMs = defaultSendTimeoutMs } = server;
  return {
    name: "smtp",
    send: async (message, signal) => {
      const messageId = `<${message.uid}@${domainOf(server.from)}>`;
      try {
        await withDeadline(signal, sendTimeoutMs, (limited) =>
          transport.sendMail({
            from: message.sender || server.from,
            to: { name: "", address: message.recipient },
            subject: message.subject ?? "",
            text: message.text,
            ...(message.html === null ? {} : { html: message.html }),
            ...calendarOf(message),
            messageId,
            headers: { "Auto-Submitted": "auto-generated" },
            signal: limited, // an abort closes the connection
          }),
        );
        return accepted(messageId);
      } catch (thrown) {
        signal.throwIfAborted();
        return toRefusal(thrown);
      }
    },
    close: () => {
      transport.close();
    },
  };
}

const mailsPerConnection = 100;

const defaultTimeoutMs = 15_000;

/**
 * A server may scan a mail before it replies (RFC 5321 suggests a timeout of 10 minutes), and a
 * mail whose reply is not awaited arrives again with each retry. The rest of the send timeout is
 * for a new connection, if the server no longer replies on the pooled one.
 */
const defaultReplyTimeoutMs = 30_000;

const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/u;

function transportOf({ url, tls, ...timeouts }: SmtpServer): Transporter {
  const { timeoutMs = defaultTimeoutMs, replyTimeoutMs = defaultReplyTimeoutMs } = timeouts;
  const { protocol, hostname, port, username, password } = new URL(url);
  const isImplicitTls = protocol === "smtps:";
  const user = decodeURIComponent(username);
  return createTransport({
    pool: true,
    maxConnections: mailConnections,
    maxMessages: mailsPerConnection,
    // One retry for a pooled connection that the server has closed. More could outlast the task.
    maxRequeues: 1,
    host: hostname.replaceAll(/[[\]]/gu, ""),
    port: port === "" ? (isImplicitTls ? 465 : 587) : Number(port),
    secure: isImplicitTls,
    // Without it, a man in the middle could prevent STARTTLS and read the password.
    requireTLS: !loopback.test(hostname),
    ...(user === "" ? {} : { auth: { user, pass: decodeURIComponent(password) } }),
    ...(tls === undefined ? {} : { tls }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: replyTimeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

function domainOf(from: string): string {
  return /@([^\s>]+)/u.exec(from)?.[1] ?? "localhost";
}

function calendarOf({ calendar }: Message) {
  if (calendar === null) {
    return {};
  }
  const method = methodOf(calendar);
  const filename = method === "CANCEL" ? "cancel.ics" : "invite.ics";
  return { icalEvent: { method, filename, content: calendar } };
}

function methodOf(calendar: string): string {
  return /^METHOD:(\w+)/mu.exec(calendar)?.[1] ?? "PUBLISH";
}

type SmtpFault = Readonly<{ code?: string; command?: string; responseCode?: number }>;

/** Errors of our credentials or of the server: retry. */
const serverFaultCodes = new Set(["EAUTH", "ETLS", "ENOAUTH"]);

/** Of one step, and of the whole mail. */
const timeoutCodes = new Set(["ETIMEDOUT", "EABORT"]);

function toRefusal(thrown: unknown): ProviderResult {
  const { code = "", command, responseCode } = thrown as SmtpFault;
  if (serverFaultCodes.has(code)) {
    return refused("smtp_auth", false);
  }
  if (responseCode === undefined) {
    return code === "EENVELOPE"
      ? refused("invalid_recipient", true)
      : refused(timeoutCodes.has(code) ? "timeout" : "unreachable", false);
  }
  const isFinal = responseCode >= 500;
  // Not for MAIL FROM: then the server refuses our sender, and every recipient would seem invalid.
  const isAddress = isFinal && command === "RCPT TO";
  return refused(isAddress ? "invalid_recipient" : `smtp_${responseCode}`, isFinal);
}
