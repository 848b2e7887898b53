import { expect } from "chai";
import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { calendarOf } from "../../../src/messages/compose.ts";
import type { Message } from "../../../src/messages/model.ts";
import type { MessageProvider } from "../../../src/messages/providers/provider.ts";
import { createProviders, createSmtpProvider } from "../../../src/messages/providers/providers.ts";
import { toError } from "../../../src/platform/errors.ts";
import { eventually } from "../../support/eventually.ts";
import { aMessage, devOnly } from "../../support/messages.ts";
import { freePort } from "../../support/free-port.ts";
import { createTcpProxy } from "../../support/tcp-proxy.ts";
import {
  mailLogin,
  startMailServer,
  trustedTls,
  type MailServer,
} from "../../support/smtp-server.ts";

const from = "Sightline <no-reply@sightline.example>";

function aMail(more: Partial<Message> = {}): Message {
  return aMessage({
    channel: "email",
    recipient: "ann@customer.example",
    sender: from,
    subject: "Grüße & « ça va »",
    text: "Bonjour,\n\nhttps://sightline.example/v/abc\n",
    html: '<p>Bonjour</p><a href="https://sightline.example/v/abc">Ouvrir</a>',
    segments: null,
    ...more,
  });
}

describe("mail by SMTP", () => {
  let opened: { server?: MailServer; provider?: MessageProvider } = {};
  afterEach(async () => {
    opened.provider?.close?.();
    await opened.server?.close();
    opened = {};
  });

  const open = async (
    options: Parameters<typeof startMailServer>[0] & { user?: string; isTrusted?: boolean } = {},
  ): Promise<{ server: MailServer; provider: MessageProvider }> => {
    const server = await startMailServer(options);
    const { user = "", isTrusted = true } = options;
    const url = `smtp://${user}127.0.0.1:${server.port}`;
    const provider = createSmtpProvider({ url, from, ...(isTrusted ? { tls: trustedTls() } : {}) });
    opened = { server, provider };
    return { server, provider };
  };

  const signal = new AbortController().signal;

  it("has a subject, both bodies, a Message-ID from its uid, and no tracking", async () => {
    const { server, provider } = await open();
    const mail = aMail();
    const result = await provider.send(mail, signal);
    const messageId = `<${mail.uid}@sightline.example>`;
    expect(result).to.deep.equal({ kind: "accepted", providerId: messageId, status: "sent" });
    const { from: sender, to, email } = server.mails[0]!;
    expect(sender).to.equal("no-reply@sightline.example");
    expect(to).to.deep.equal(["ann@customer.example"]);
    expect(email.from).to.deep.equal({
      name: "Sightline",
      address: "no-reply@sightline.example",
    });
    expect(email.subject).to.equal("Grüße & « ça va »");
    expect(email.messageId).to.equal(messageId);
    expect(email.text?.trim()).to.equal(mail.text.trim());
    expect(email.html).to.contain(mail.html);
    const headers = new Map(email.headers.map(({ key, value }) => [key, value]));
    expect(headers.get("auto-submitted")).to.equal("auto-generated");
    expect([...headers.keys()]).to.not.include("list-unsubscribe");
    expect(email.attachments).to.deep.equal([]);
  });

  it("has a calendar entry as an alternative and as an attachment", async () => {
    const { server, provider } = await open();
    const at = new Date("2026-11-20T10:00:00Z");
    const entry = {
      uid: "conference-1000@sightline.example",
      sequence: 0,
      title: "Réunion",
      description: "d",
      link: "https://sightline.example/c/abc",
      startTime: new Date("2026-11-21T09:00:00Z"),
      endTime: new Date("2026-11-21T09:30:00Z"),
      organizer: { name: "Ada", email: "no-reply@sightline.example" },
      attendee: "ann@customer.example",
      at,
    };
    const invite = calendarOf({ ...entry, isCancelled: false });
    await provider.send(aMail({ calendar: invite }), signal);
    await provider.send(aMail({ calendar: calendarOf({ ...entry, isCancelled: true }) }), signal);
    const [invited, cancelled] = server.mails;
    expect(invited?.raw).to.match(
      /^Content-Type: text\/calendar; charset=utf-8;\s+method=REQUEST/mu,
    );
    expect(cancelled?.raw).to.match(
      /^Content-Type: text\/calendar; charset=utf-8;\s+method=CANCEL/mu,
    );
    const files = invited?.email.attachments.filter(({ filename }) => filename === "invite.ics");
    expect(files).to.have.lengthOf(1);
    const content = files?.[0]?.content;
    const text = typeof content === "string" ? content : new TextDecoder().decode(content);
    expect(text.replaceAll("\r\n", "\n")).to.equal(invite.replaceAll("\r\n", "\n"));
  });

  it("is safe from header and recipient injection", async () => {
    const { server, provider } = await open();
    await provider.send(aMail({ subject: "a\r\nBcc: eve@evil.example", text: "b" }), signal);
    expect(server.mails[0]?.to).to.deep.equal(["ann@customer.example"]);
    expect(server.mails[0]?.raw).to.not.match(/^Bcc:/mu);
  });

  it("reuses one connection for several mails", async () => {
    const { server, provider } = await open();
    for (let sent = 0; sent < 3; sent += 1) {
      await provider.send(aMail(), signal);
    }
    expect(server.mails).to.have.lengthOf(3);
    expect(server.connections()).to.equal(1);
  });

  it("uses STARTTLS and authenticates", async () => {
    const user = `${mailLogin.user}:${encodeURIComponent(mailLogin.pass)}@`;
    const { server, provider } = await open({ hasTls: true, needsLogin: true, user });
    expect(await provider.send(aMail(), signal)).to.have.property("kind", "accepted");
    expect(server.mails[0]).to.include({ isEncrypted: true, login: mailLogin.user });
  });

  it("is not sent if the certificate is not trusted", async () => {
    const { server, provider } = await open({ hasTls: true, isTrusted: false });
    expect(await provider.send(aMail(), signal)).to.include({ kind: "refused", isFinal: false });
    expect(server.mails).to.deep.equal([]);
  });

  it("treats failed authentication as temporary", async () => {
    const { provider } = await open({ needsLogin: true, user: "sightline:wrong@" });
    const result = await provider.send(aMail(), signal);
    expect(result).to.deep.equal({ kind: "refused", error: "smtp_auth", isFinal: false });
  });

  for (const [at, code, error, isFinal] of [
    ["sender", 550, "smtp_550", true],
    ["recipient", 550, "invalid_recipient", true],
    ["recipient", 450, "smtp_450", false],
    ["data", 554, "smtp_554", true],
    ["data", 452, "smtp_452", false],
  ] as const) {
    it(`treats ${code} at the ${at} as ${isFinal ? "final" : "temporary"}`, async () => {
      const { server, provider } = await open();
      server.refuse(at, code);
      const result = await provider.send(aMail(), signal);
      expect(result).to.deep.equal({ kind: "refused", error, isFinal });
      server.refuse(undefined);
      expect(await provider.send(aMail(), signal)).to.have.property("kind", "accepted");
    });
  }

  it("times out if the server is silent, and retries if there is none", async () => {
    const silent: Server = createServer(() => undefined);
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const url = `smtp://127.0.0.1:${port}`;
    const provider = createSmtpProvider({ url, from, timeoutMs: 1_500 });
    opened = { provider };
    expect(await provider.send(aMail(), signal)).to.include({ kind: "refused", isFinal: false });
    silent.close();
    await once(silent, "close");
    const result = await provider.send(aMail(), signal);
    expect(result).to.deep.equal({ kind: "refused", error: "unreachable", isFinal: false });
  });

  /** A server that answers each step of a mail after some time; `mails` counts those it got. */
  const openSlow = async (
    timeouts: { sendTimeoutMs?: number; timeoutMs?: number } = {},
    { stepMs, scanMs } = { stepMs: 150, scanMs: 150 },
  ) => {
    const state = { connections: 0, mails: 0, open: 0 };
    const slow = createServer((socket) => {
      let isData = false;
      const answer = (text: string, afterMs = stepMs): void => {
        setTimeout(() => socket.writable && socket.write(`${text}\r\n`), afterMs);
      };
      state.connections += 1;
      state.open += 1;
      socket.on("close", () => (state.open -= 1));
      socket.on("data", (chunk: Buffer) => {
        const text = chunk.toString();
        if (isData && !text.endsWith("\r\n.\r\n")) {
          return;
        }
        const isMail = isData;
        state.mails += isMail ? 1 : 0;
        isData = text.startsWith("DATA");
        answer(isData ? "354 go on" : "250 ok", isMail ? scanMs : stepMs);
      });
      answer("220 slow");
    });
    slow.listen(0, "127.0.0.1");
    await once(slow, "listening");
    const { port } = slow.address() as AddressInfo;
    const url = `smtp://127.0.0.1:${port}`;
    const provider = createSmtpProvider({ url, from, timeoutMs: 5_000, ...timeouts });
    opened = { provider };
    const isClosed = async (): Promise<void> => {
      await eventually(() => state.open === 0);
      slow.close();
      await once(slow, "close");
    };
    return { provider, state, isClosed };
  };

  it("gives up a mail whose steps together take too long, and closes its connection", async () => {
    const { provider, state, isClosed } = await openSlow({ sendTimeoutMs: 400 });
    const result = await provider.send(aMail(), signal);
    expect(result).to.deep.equal({ kind: "refused", error: "timeout", isFinal: false });
    await isClosed();
    expect(state).to.deep.equal({ connections: 1, mails: 0, open: 0 });
  });

  it("waits for a server that scans a mail for longer than a step may take", async () => {
    const slow = await openSlow({ timeoutMs: 700 }, { stepMs: 0, scanMs: 1_200 });
    expect(await slow.provider.send(aMail(), signal)).to.have.property("kind", "accepted");
    slow.provider.close?.();
    await slow.isClosed();
    expect(slow.state).to.include({ connections: 1, mails: 1 });
  });

  it("closes the connection of a mail whose task is aborted", async () => {
    const { provider, state, isClosed } = await openSlow();
    const task = new AbortController();
    const sending = provider.send(aMail(), task.signal).catch(toError);
    await eventually(() => state.open === 1);
    task.abort(new Error("The process stops"));
    expect(await sending).to.include({ message: "The process stops" });
    await isClosed();
    expect(state).to.deep.equal({ connections: 1, mails: 0, open: 0 });
  });

  it("sends on a new connection if that of the last mail has fallen silent", async () => {
    const { server } = await open();
    const proxy = createTcpProxy(await freePort(), server.port);
    await proxy.open();
    const url = `smtp://127.0.0.1:${proxy.port}`;
    const provider = createSmtpProvider({ url, from, tls: trustedTls(), replyTimeoutMs: 500 });
    expect(await provider.send(aMail(), signal)).to.have.property("kind", "accepted");
    proxy.fallSilent();
    expect(await provider.send(aMail(), signal)).to.have.property("kind", "accepted");
    expect(server.mails).to.have.lengthOf(2);
    provider.close?.();
    await proxy.close();
  });

  it("sends as many mails at once as it has connections, and reports the others as busy", async () => {
    const sockets: Socket[] = [];
    let isSilent = true;
    const silent: Server = createServer((socket) => {
      sockets.push(socket);
      if (!isSilent) {
        socket.destroy();
      }
    });
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const providers = createProviders({
      ...devOnly,
      mail: { provider: "smtp", from, url: `smtp://127.0.0.1:${port}` },
    });
    const smtp = providers.of("email", { mailProvider: null, smsProvider: null });
    const hanging = Array.from({ length: 5 }, () => smtp.send(aMail(), signal));
    expect(await smtp.send(aMail(), signal)).to.deep.equal({ kind: "busy" });
    expect(sockets).to.have.lengthOf(5);
    isSilent = false;
    sockets.forEach((socket) => socket.destroy());
    const ends = await Promise.all(hanging);
    expect(ends.map(({ kind }) => kind)).to.deep.equal(Array(5).fill("refused"));
    expect(sockets, "each tried once more").to.have.lengthOf(10);
    providers.close();
    silent.close();
    await once(silent, "close");
  });
});
