import { expect } from "chai";
import { findBarriers, screenshot } from "../support/browser.ts";
import { axeReadsStyles, inAgent, useLoaderFixture } from "../support/loader-fixture.ts";
import { eventually } from "../support/eventually.ts";
import { recordOf, recordsOf } from "../support/loader-host.ts";
import { aMessage, connectAgent, hear } from "../support/signalling.ts";

type Person = { id: number; nickname: string };

describe("the callbacks of the agent module", () => {
  const loader = useLoaderFixture();

  it("are called for every event, each with the documented arguments", async () => {
    const { id, roomToken } = await loader.aTicket();
    const customer = await loader.aCustomer(roomToken);
    const page = await loader.open();
    expect(await inAgent(page, `openBox(${id})`)).to.equal(true);
    await inAgent(page, `minimize(${id})`);
    await inAgent(page, `maximize(${id})`);
    const text = 'See <b>"this"</b> & https://example.com/?a=1&b=2\nnow';
    await customer.ask("chat", aMessage(text));
    await recordOf(page, "showNewMessage");
    expect(await inAgent(page, `sendMessage(${id}, "Hello Jane")`)).to.equal(true);
    await hear(customer, "chat", ({ text: got }: { text: string }) => got === "Hello Jane");
    await inAgent(page, `closeBox(${id})`);
    expect(await recordsOf(page)).to.deep.equal([
      { type: "init", params: undefined, count: 3 },
      { type: "createNewIMDiv", params: { destId: id, nickname: "Jane <Doe>" }, count: 3 },
      {
        type: "openComBox",
        params: {
          isOfHost: false,
          version: "3.7.1",
          length: 1,
          is: true,
          destId: id,
          isInPage: true,
        },
        count: 3,
      },
      { type: "minimize", params: id, count: 3 },
      { type: "maximize", params: id, count: 3 },
      {
        type: "showNewMessage",
        params: {
          nickname: "Jane <Doe>",
          destId: id,
          message: text,
          html:
            "See &lt;b&gt;&quot;this&quot;&lt;/b&gt; &amp; " +
            '<a href="https://example.com/?a=1&amp;b=2" target="_blank" ' +
            'rel="noopener noreferrer nofollow">https://example.com/?a=1&amp;b=2</a><br>now',
        },
        count: 3,
      },
      { type: "sendMessage", params: { destId: id, message: "Hello Jane" }, count: 3 },
      { type: "close", params: id, count: 3 },
    ]);
  });

  it("start as soon as there is a body if the module is loaded in the head", async () => {
    const { id } = await loader.aTicket();
    const page = await loader.browser.open();
    let loadRest = (): void => undefined;
    const headUntil = new Promise<void>((resolve) => {
      loadRest = resolve;
    });
    const before = `
      window.styled = 0;
      document.addEventListener("load", ({ target }) => {
        window.styled += target.matches("link[data-im]") ? 1 : 0;
      }, true);`;
    const shown = loader.host.show(page, { headUntil, before });
    await eventually(async () => (await page.evaluate("window.styled")) === 2);
    expect(await page.evaluate("document.body")).to.equal(null);
    expect(await recordsOf(page)).to.deep.equal([]);
    loadRest();
    await shown;
    await recordOf(page, "init");
    expect(await inAgent(page, `openBox(${id})`)).to.equal(true);
    expect((await recordsOf(page)).map(({ type }) => type)).to.deep.equal([
      "init",
      "createNewIMDiv",
      "openComBox",
    ]);
  });

  it("add one global name, and leave the page's own $ untouched", async () => {
    const { id } = await loader.aTicket();
    const before = `
      window.$ = () => "the page's own";
      window.namesBefore = [];
      window.namesBefore = Object.getOwnPropertyNames(window);`;
    const page = await loader.open({ before, params: { directory: true } });
    await inAgent(page, `openBox(${id})`);
    await inAgent(page, `sendMessage(${id}, "Hello")`);
    const names = await page.evaluate<string[]>(
      "Object.getOwnPropertyNames(window).filter((name) => !namesBefore.includes(name))",
    );
    // All names but `agent` belong to the test page.
    expect(names.toSorted()).to.deep.equal(["agent", "loadAgent", "record", "records"]);
    expect(await page.evaluate("window.$() + typeof window.jQuery")).to.equal(
      "the page's ownundefined",
    );
  });

  it("receive the page's own jQuery if there is one", async () => {
    const { id } = await loader.aTicket();
    const before = "window.own = [window.jQuery, window.$];";
    const page = await loader.open({ hasJQuery: true, before });
    await inAgent(page, `openBox(${id})`);
    expect(await page.evaluate("own[0] === window.jQuery && own[1] === window.$")).to.equal(true);
    const { params } = await recordOf(page, "openComBox");
    expect(params).to.deep.include({ isOfHost: true, length: 1, destId: id });
  });

  it("report colleagues who come online or go offline", async () => {
    const params = { directory: true, directoryStartOpen: true };
    const page = await loader.open({ params }, axeReadsStyles);
    const { apiKey, id, token } = loader.colleague;
    const other = await connectAgent(loader.platform, { apiKey } as never, { id, token });
    const came = await recordOf(page, "updatePresence");
    const { time, connectedUsersList } = came.params as {
      time: string;
      connectedUsersList: Person[];
    };
    expect(new Date(time).toISOString()).to.equal(time);
    expect(connectedUsersList.map((person) => person.id)).to.deep.equal([id]);
    expect(came.params).to.deep.equal({
      eventType: "presence",
      time,
      connectedUsersList: [{ id, nickname: connectedUsersList[0]?.nickname }],
      state: "online",
    });
    await page.getByRole("button", { name: /Demo Administrator.*online/u }).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await screenshot(page, "loader-directory");
    other.close();
    const left = await recordOf(page, "updatePresence", 1);
    const { time: leftAt } = left.params as { time: string };
    expect(new Date(leftAt).toISOString()).to.equal(leftAt);
    expect(left.params).to.deep.equal({
      eventType: "presence",
      time: leftAt,
      connectedUsersList: [],
      state: "offline",
    });
  });

  it("report the box of a colleague like that of a ticket, with the colleague's id", async () => {
    const page = await loader.open();
    const { apiKey, id, token } = loader.colleague;
    const other = await connectAgent(loader.platform, { apiKey } as never, { id, token });
    const me = await page.evaluate<number>("window.agent.userInfos.id");
    const user = '{ kind: "user" }';
    expect(await inAgent(page, `openBox(${id}, ${user})`)).to.equal(true);
    const { params: made } = await recordOf(page, "createNewIMDiv");
    const { nickname } = made as Person;
    expect(made).to.deep.equal({ destId: id, nickname: "Demo Administrator" });
    await inAgent(page, `sendMessage(${id}, "Are you free?", ${user})`);
    await hear(other, "message", ({ text }: { text: string }) => text === "Are you free?");
    await other.ask("send", { kind: "user", destId: me, ...aMessage("Yes") });
    await recordOf(page, "showNewMessage");
    await inAgent(page, `minimize(${id}, ${user})`);
    await inAgent(page, `maximize(${id}, ${user})`);
    await inAgent(page, `closeBox(${id}, ${user})`);
    const texts = (await recordsOf(page)).filter(({ type }) => type !== "updatePresence");
    expect(texts.map(({ type, params }) => [type, params])).to.deep.equal([
      ["init", undefined],
      ["createNewIMDiv", { destId: id, nickname }],
      [
        "openComBox",
        { isOfHost: false, version: "3.7.1", length: 1, is: true, destId: id, isInPage: true },
      ],
      ["sendMessage", { destId: id, message: "Are you free?" }],
      ["showNewMessage", { nickname, destId: id, message: "Yes", html: "Yes" }],
      ["minimize", id],
      ["maximize", id],
      ["close", id],
    ]);
    other.close();
  });

  it("open a box for a message of a customer, and count unread messages", async () => {
    const { id, roomToken } = await loader.aTicket();
    const customer = await loader.aCustomer(roomToken);
    const page = await loader.open({}, axeReadsStyles);
    await customer.ask("chat", aMessage("Is anybody there?"));
    await recordOf(page, "showNewMessage");
    expect((await recordsOf(page)).map(({ type }) => type)).to.deep.equal([
      "init",
      "createNewIMDiv",
      "openComBox",
      "showNewMessage",
    ]);
    await page.getByRole("button", { name: "Minimize" }).click();
    await customer.ask("chat", aMessage("Hello?"));
    await page.getByRole("img", { name: "1 new message" }).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByText("Hello?").waitFor();
    expect(await page.getByRole("img", { name: /new message/u }).count()).to.equal(0);
    expect(await page.getByRole("log").getByText("Is anybody there?").count()).to.equal(1);
    expect(id).to.be.greaterThan(0);
  });
});
