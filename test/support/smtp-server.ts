import { once } from "node:events";
import { readFileSync } from "node:fs";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

export type ReceivedMail = Readonly<{
  from: string;
  to: readonly string[];
  /** The message exactly as sent over the wire. */
  raw: string;
  email: Email;
  isEncrypted: boolean;
  login: string | undefined;
}>;

type Step = "sender" | "recipient" | "data";

export type MailServer = Readonly<{
  port: number;
  mails: readonly ReceivedMail[];
  /** Rejects later commands of this kind with this code, until it is reset. */
  refuse(at: Step | undefined, code?: number): void;
  connections: () => number;
  close(): Promise<void>;
}>;

export const mailLogin = { user: "sightline", pass: "p@ss/word" };

function fixture(name: string): Buffer {
  return readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url));
}

/** Settings with which a client trusts the server's certificate, which has a fictitious name. */
export function trustedTls() {
  return { ca: fixture("ca"), servername: "receiver.test" };
}

function refusal(code: number): Error {
  return Object.assign(new Error("refused by the test"), { responseCode: code });
}

type Options = Readonly<{ hasTls?: boolean; needsLogin?: boolean }>;

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A real SMTP server on a free loopback port that stores and parses its messages. */
export async function startMailServer({
  hasTls = false,
  needsLogin = false,
}: Options = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let refused: { at: Step; code: number } | undefined;
  let connections = 0;
  const options: SMTPServerOptions = {
    authOptional: !needsLogin,
    disabledCommands: hasTls ? [] : ["STARTTLS"],
    logger: false,
    ...(hasTls
      ? {
          key: readFileSync(new URL("../fixtures/tls/server.key", import.meta.url)),
          cert: fixture("valid"),
        }
      : { allowInsecureAuth: true }),
    onConnect: (_session, callback) => {
      connections += 1;
      callback();
    },
    onAuth: ({ username, password }, _session, callback) => {
      const isRight = username === mailLogin.user && password === mailLogin.pass;
      callback(isRight ? null : refusal(535), { user: username });
    },
    onMailFrom: (_address, _session, callback) => {
      callback(refused?.at === "sender" ? refusal(refused.code) : null);
    },
    onRcptTo: (_address, _session, callback) => {
      callback(refused?.at === "recipient" ? refusal(refused.code) : null);
    },
    onData: (stream, session, callback) => {
      const keep = async (): Promise<void> => {
        const raw = await readAll(stream);
        if (refused?.at === "data") {
          callback(refusal(refused.code));
          return;
        }
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: raw.toString("utf8"),
          email: await PostalMime.parse(raw),
          isEncrypted: session.secure,
          login: session.user,
        });
        callback();
      };
      void keep().catch(callback);
    },
  };
  const server = new SMTPServer(options);
  server.on("error", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const address = server.server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    port,
    mails,
    refuse: (at, code = 550) => {
      refused = at === undefined ? undefined : { at, code };
    },
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      }),
  };
}
