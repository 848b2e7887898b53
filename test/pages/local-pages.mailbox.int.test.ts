import { expect } from "chai";
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import express from "express";
import { createLocalCheck, createMailboxRouter } from "../../src/pages/local-pages.ts";
import { servePages, useDistFolder, type PageServer } from "../support/built-pages.ts";
import { useDatabase } from "../support/database.ts";
import { useMessaging } from "../support/messages.ts";

describe("the mailbox page", () => {
  const database = useDatabase();
  const harness = useMessaging(database);
  const dist = useDistFolder();
  let server: PageServer;
  let base = "";
  beforeEach(async () => {
    await dist.add("aaaaaaaaaaaaaaaa", { "mailbox/index.html": "<title>Mailbox</title>" });
    const { unsent } = harness.features.messaging;
    const mailbox = createMailboxRouter({
      built: dist.built,
      unsent,
      isLocal: createLocalCheck(true),
    });
    server = await servePages(express.Router().use("/mailbox", mailbox));
    base = server.url;
  });
  afterEach(() => server.close());

  const mail = {
    channel: "email",
    recipient: "ann@customer.example",
    subject: "Hi",
    text: "Hello",
    html: "<p>Hello</p><script>alert(1)</script>",
  } as const;

  type Listed = { total: number; hasMore: boolean; messages: Record<string, unknown>[] };
  const list = async (query = ""): Promise<Listed> =>
    (await (await fetch(`${base}/mailbox/messages${query}`)).json()) as Listed;

  it("may show a mail in a frame", async () => {
    const page = await fetch(`${base}/mailbox`);
    expect(page.status).to.equal(200);
    expect(await page.text()).to.contain("Mailbox");
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).to.contain("default-src 'none'").and.contain("frame-src 'self'");
    expect(policy).to.not.contain("unsafe");
  });

  it("lists stored messages, newest first, by channel, without pending ones", async () => {
    const before = (await list()).total;
    const [sms = 0, letter = 0] = await harness.queue({ text: "SMS" }, mail, { text: "waits" });
    await harness.send(sms);
    await harness.send(letter);
    const { total, messages } = await list();
    expect(total - before).to.equal(2);
    expect(messages.slice(0, 2).map(({ id }) => id)).to.deep.equal([letter, sms]);
    expect(messages[0]).to.deep.equal({
      id: letter,
      channel: "email",
      to: "ann@customer.example",
      from: "Sightline <no-reply@sightline.example>",
      subject: "Hi",
      text: "Hello",
      hasHtml: true,
      calendar: null,
      segments: null,
      status: "sent",
      created: "2026-11-20T10:00:00.000Z",
    });
    const onlySms = await list("?channel=sms");
    expect(new Set(onlySms.messages.map(({ channel }) => channel))).to.deep.equal(new Set(["sms"]));
    expect((await list(`?before=${letter}`)).messages[0]?.["id"]).to.equal(sms);
  });

  it("shows a page at a time", async () => {
    const ids = await harness.queue(...Array.from({ length: 51 }, () => mail));
    for (const id of ids) {
      await harness.send(id);
    }
    const first = await list();
    expect([first.messages.length, first.hasMore]).to.deep.equal([50, true]);
    const next = await list(`?before=${String(first.messages.at(-1)?.["id"])}`);
    expect(next.messages[0]?.["id"]).to.equal(ids[0]);
  });

  it("shows a mail's HTML in a sandbox that runs and loads nothing", async () => {
    const [id = 0, sms = 0] = await harness.queue(mail, {});
    await harness.send(id);
    await harness.send(sms);
    const shown = await fetch(`${base}/mailbox/messages/${id}/mail`);
    expect(await shown.text()).to.equal(mail.html);
    const policy = shown.headers.get("content-security-policy") ?? "";
    expect(policy)
      .to.match(/^sandbox;/u)
      .and.contain("default-src 'none'");
    expect(policy).to.not.match(/script-src|allow-scripts|allow-same-origin/u);
    expect(shown.headers.get("x-frame-options")).to.equal("SAMEORIGIN");
    expect(shown.headers.get("cross-origin-opener-policy")).to.equal(null);
    expect((await fetch(`${base}/mailbox/messages/${sms}/mail`)).status).to.equal(404);
    expect((await fetch(`${base}/mailbox/messages/0/mail`)).status).to.equal(404);
  });

  it("answers local requests only", async () => {
    const ask = async (headers: Record<string, string>): Promise<number | undefined> => {
      const sent = request(`${base}/mailbox/messages`, { headers });
      sent.end();
      const [response] = (await once(sent, "response")) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    };
    expect(await ask({})).to.equal(200);
    for (const name of ["x-forwarded-for", "x-forwarded-host", "x-real-ip", "forwarded", "via"]) {
      expect(await ask({ [name]: "203.0.113.9" }), name).to.equal(404);
    }
    expect(await ask({ host: "evil.example" })).to.equal(404);
  });

  it("answers 404 if the public address is not local: a proxy may add no headers", async () => {
    const { unsent } = harness.features.messaging;
    const isLocal = createLocalCheck(false);
    const mailbox = createMailboxRouter({ built: dist.built, unsent, isLocal });
    const open = await servePages(express.Router().use("/mailbox", mailbox));
    for (const path of ["/mailbox", "/mailbox/messages", "/mailbox/messages/1/mail"]) {
      expect((await fetch(`${open.url}${path}`)).status, path).to.equal(404);
    }
    await open.close();
  });
});
