import { expect } from "chai";
import { screenshot } from "../support/browser.ts";
import { inAgent, useLoaderDesk } from "../support/loader-desk.ts";
import { recordOf, recordsOf } from "../support/loader-host.ts";
import { aMessage, connectAgent, hear } from "../support/signalling.ts";

type Person = { id: number; nickname: string };

describe("the callbacks of the agent module", () => {
  const desk = useLoaderDesk();

  it("tells the host everything that happens, each in its exact shape", async () => {
    const { id, roomToken } = await desk.aTicket();
    const customer = await desk.aCustomer(roomToken);
    const page = await desk.open();
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
    expect(
      await page.evaluate("typeof window.jQuery + typeof window.$ + typeof window.io"),
    ).to.equal("undefined".repeat(3));
  });

  it("gives the page's own jQuery where it has one", async () => {
    const { id } = await desk.aTicket();
    const page = await desk.open({ hasJQuery: true });
    await inAgent(page, `openBox(${id})`);
    const { params } = await recordOf(page, "openComBox");
    expect(params).to.deep.include({ isOfHost: true, length: 1, destId: id });
  });

  it("tells who of the colleagues comes and goes", async () => {
    const page = await desk.open({ params: { directory: true, directoryStartOpen: true } });
    const { apiKey, id, token } = desk.colleague;
    const other = await connectAgent(desk.platform, { apiKey } as never, { id, token });
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
    await screenshot(page, "loader-directory");
    other.close();
    const left = await recordOf(page, "updatePresence", 1);
    expect(left.params).to.deep.include({ connectedUsersList: [], state: "offline" });
  });

  it("opens a box for what a customer writes, and counts what nobody has read", async () => {
    const { id, roomToken } = await desk.aTicket();
    const customer = await desk.aCustomer(roomToken);
    const page = await desk.open();
    await customer.ask("chat", aMessage("Is anybody there?"));
    await recordOf(page, "showNewMessage");
    expect((await recordsOf(page)).map(({ type }) => type)).to.deep.equal([
      "init",
      "createNewIMDiv",
      "openComBox",
      "showNewMessage",
    ]);
    await page.getByRole("button", { name: "Minimise" }).click();
    await customer.ask("chat", aMessage("Hello?"));
    await page.getByRole("img", { name: "1 new message" }).waitFor();
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByText("Hello?").waitFor();
    expect(await page.getByRole("img", { name: /new message/u }).count()).to.equal(0);
    expect(await page.getByRole("log").getByText("Is anybody there?").count()).to.equal(1);
    expect(id).to.be.greaterThan(0);
  });
});
