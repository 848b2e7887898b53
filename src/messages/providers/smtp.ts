/**
 * Mail by SMTP over a few pooled connections. The Message-ID is derived from the message's uid, so
 * that servers and mailboxes can deduplicate a mail that is sent twice.
 */
import { createTransport, type Transporter } from "nodemailer";
import type { Message } from "../model.ts";
import { accepted, refused, type MessageProvider, type ProviderResult } from "./provider.ts";

export type SmtpServer = Readonly<{
  /** `smtps://login:password@host:465`, or `smtp://…` with STARTTLS. */
  url: string;
  from: string;
  /** For a server certificate that is signed by a private CA or has another name. */
  tls?: Readonly<{ ca: Buffer; servername: string }>;
  timeoutMs?: number;
}>;

export const mailConnections = 5;

export function createSmtpProvider(server: SmtpServer): MessageProvider {
  const transport = transportOf(server);
  return {
    name: "smtp",
    send: async (message) => {
      const messageId = `<${message.uid}@${domainOf(server.from)}>`;
      try {
        await transport.sendMail({
          from: message.sender || server.from,
          to: { name: "", address: message.recipient },
          subject: message.subject ?? "",
          text: message.text,
          ...(message.html === null ? {} : { html: message.html }),
          ...calendarOf(message),
          messageId,
          headers: { "Auto-Submitted": "auto-generated" },
        });
        return accepted(messageId);
      } catch (thrown) {
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

const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/u;

function transportOf({ url, tls, timeoutMs = defaultTimeoutMs }: SmtpServer): Transporter {
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
    socketTimeout: timeoutMs,
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

type SmtpFault = Readonly<{ code?: string; responseCode?: number; rejectedErrors?: SmtpFault[] }>;

/** Errors of our credentials or of the server: retry. */
const serverFaultCodes = new Set(["EAUTH", "ETLS", "ENOAUTH"]);

function toRefusal(thrown: unknown): ProviderResult {
  const { code = "", responseCode } = thrown as SmtpFault;
  if (serverFaultCodes.has(code)) {
    return refused("smtp_auth", false);
  }
  if (responseCode === undefined) {
    return code === "EENVELOPE"
      ? refused("invalid_recipient", true)
      : refused(code === "ETIMEDOUT" ? "timeout" : "unreachable", false);
  }
  const isFinal = responseCode >= 500;
  const isAddress = isFinal && code === "EENVELOPE";
  return refused(isAddress ? "invalid_recipient" : `smtp_${responseCode}`, isFinal);
}
