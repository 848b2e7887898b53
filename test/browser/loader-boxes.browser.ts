import { expect } from "chai";
import type { WebSocket } from "playwright-core";
import { agent } from "../support/browser-platform.ts";
import { findBarriers, seeFits, phone, screenshot } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import {
  axeReadsStyles,
  boxesOf,
  inAgent,
  offScreen,
  useLoaderFixture,
} from "../support/loader-fixture.ts";
import { recordOf, recordsOf, startLoaderHost, type LoaderHost } from "../support/loader-host.ts";
import { aMessage, hear } from "../support/signalling.ts";

describe("the agent module in a third-party page", () => {
  const loader = useLoaderFixture();
  const others: LoaderHost[] = [];

  afterEach("close the other sites", async () => {
    await Promise.all(others.splice(0).map((host) => host.close()));
  });

  const anotherSite = async (): Promise<LoaderHost> => {
    const host = await startLoaderHost(loader.platform.url, agent);
    others.push(host);
    return host;
  };

  it("is usable by keyboard, escapes messages, and passes axe", async () => {
    const { id, roomToken } = await loader.aTicket();
    const customer = await loader.aCustomer(roomToken);
    const page = await loader.open({ params: { directory: true } }, axeReadsStyles);
    await inAgent(page, `openBox(${id})`);
    await page.keyboard.type("Typed by hand");
    await page.keyboard.press("Enter");
    await hear(customer, "chat", ({ text }: { text: string }) => text === "Typed by hand");
    await customer.ask("chat", aMessage('<img src=x onerror="window.hacked=1"><script>1</script>'));
    await customer.ask("chat", aMessage("javascript:window.hacked=1 and http://a.example/x"));
    await page.getByText("http://a.example/x").waitFor();
    const links = await page.evaluate<string[]>(
      "[...document.querySelectorAll('.im-text a')].map((a) => a.getAttribute('href') + ' ' + a.rel)",
    );
    expect(links).to.deep.equal(["http://a.example/x noopener noreferrer nofollow"]);
    expect(await page.evaluate("window.hacked")).to.equal(undefined);
    expect(await page.evaluate("document.querySelectorAll('.im-text img').length")).to.equal(0);
    expect(await findBarriers(page)).to.deep.equal([]);
    await screenshot(page, "loader-box");
    await page.keyboard.press("Escape");
    expect((await recordOf(page, "minimize")).params).to.equal(id);
  });

  it("is translated to French, and fits on a phone", async () => {
    const { id } = await loader.aTicket();
    const page = await loader.open(
      { params: { culture: "fr-FR", directory: true } },
      { viewport: phone, ...axeReadsStyles },
    );
    await inAgent(page, `openBox(${id})`);
    await page.getByPlaceholder("Écrire un message").waitFor();
    await page.getByRole("button", { name: "Réduire" }).waitFor();
    await page.getByRole("button", { name: /Collègues/u }).waitFor();
    await seeFits(page);
    await screenshot(page, "loader-phone");
    expect(await findBarriers(page)).to.deep.equal([]);
  });

  it("has a second template, and no colours if the host provides its own", async () => {
    const { id } = await loader.aTicket();
    const page = await loader.open({ params: { template: "dock", useDefaultTheme: false } });
    await inAgent(page, `openBox(${id})`);
    const styles = await page.evaluate<string[]>(
      "[...document.querySelectorAll('link[data-im]')].map((link) => new URL(link.href).pathname)",
    );
    expect(styles).to.deep.equal(["/loader/dock.css"]);
    expect(await page.evaluate("document.getElementById('im-agent').className")).to.equal(
      "im-agent im-template-dock",
    );
    const dressed = await loader.open({ params: { template: "dock", directory: true } });
    await inAgent(dressed, `openBox(${id})`);
    await screenshot(dressed, "loader-dock");
  });

  for (const template of ["default", "dock"]) {
    it(`shows six message boxes and the directory on the screen, the newest open (${template})`, async () => {
      const params = { template, directory: true, directoryStartOpen: true };
      const page = await loader.open({ params }, axeReadsStyles);
      const ids: number[] = [];
      for (let count = 0; count < 6; count += 1) {
        const { id, roomToken } = await loader.aTicket();
        const customer = await loader.aCustomer(roomToken);
        await customer.ask("chat", aMessage("Is anybody there?"));
        await recordOf(page, "showNewMessage", count);
        ids.push(id);
      }
      expect(await offScreen(page)).to.deep.equal([]);
      const boxes = await boxesOf(page);
      const minimized = (await recordsOf(page)).filter(({ type }) => type === "minimize");
      const texts = minimized.map(({ params: id }) => id);
      expect(texts, "the oldest first").to.deep.equal(ids.slice(0, texts.length));
      expect(texts.length).to.be.within(1, 5);
      expect(boxes).to.deep.equal(
        ids.map((id) => {
          const isOpen = !texts.includes(id);
          return { id, isShownOpen: isOpen, isExpanded: isOpen };
        }),
      );
      await screenshot(page, `loader-six-${template}`);
      expect(await findBarriers(page)).to.deep.equal([]);

      await inAgent(page, `maximize(${ids[0]})`);
      expect((await boxesOf(page))[0]).to.include({ isShownOpen: true, isExpanded: true });
      expect(await offScreen(page)).to.deep.equal([]);

      await page.setViewportSize({ width: 780, height: 700 });
      await eventually(async () => (await offScreen(page)).length === 0);
      expect((await boxesOf(page)).filter(({ isExpanded }) => isExpanded)).to.deep.equal([
        { id: ids[0], isShownOpen: true, isExpanded: true },
      ]);
    });

    it(`shows one box at a time on a phone, or the maximized one (${template})`, async () => {
      const [{ id: first }, { id: second }] = [await loader.aTicket(), await loader.aTicket()];
      const params = {
        ...{ template, directory: true, directoryStartOpen: true },
        useDefaultTheme: template === "default",
      };
      const page = await loader.open({ params }, { viewport: phone });
      const openOnes = async () =>
        (await boxesOf(page)).map(({ id, isShownOpen, isExpanded }) => [
          id,
          isShownOpen,
          isExpanded,
        ]);
      await inAgent(page, `openBox(${first})`);
      await inAgent(page, `openBox(${second})`);
      expect(await openOnes()).to.deep.equal([
        [first, false, false],
        [second, true, true],
      ]);
      await inAgent(page, `maximize(${first})`);
      expect(await openOnes()).to.deep.equal([
        [first, true, true],
        [second, false, false],
      ]);
      expect(await offScreen(page)).to.deep.equal([]);
      await screenshot(page, `loader-phone-two-${template}`);
      const shown = (await recordsOf(page))
        .slice(1)
        .map(({ type, params: input }) => [type, input]);
      expect(shown.filter(([type]) => type !== "openComBox")).to.deep.equal([
        ["createNewIMDiv", { destId: first, nickname: "Jane <Doe>" }],
        ["createNewIMDiv", { destId: second, nickname: "Jane <Doe>" }],
        ["minimize", first],
        ["maximize", first],
        ["minimize", second],
      ]);
    });
  }

  it("keeps the box in which the agent writes open when another customer writes", async () => {
    const { id } = await loader.aTicket();
    const { roomToken } = await loader.aTicket();
    const customer = await loader.aCustomer(roomToken);
    const page = await loader.open({}, { viewport: phone });
    await inAgent(page, `openBox(${id})`);
    await page.keyboard.type("I am ");
    await customer.ask("chat", aMessage("Is anybody there?"));
    await page.getByRole("img", { name: "1 new message" }).waitFor();
    await page.keyboard.type("writing");
    const field = page.locator(`[data-dest-id="${id}"] .im-field`);
    expect(await field.inputValue()).to.equal("I am writing");
    expect((await boxesOf(page)).map(({ isExpanded }) => isExpanded)).to.deep.equal([true, false]);
  });

  it("continues if a callback of the host throws, and stops cleanly on request", async () => {
    const { id } = await loader.aTicket();
    const page = await loader.open(
      { isBroken: true },
      { expectedErrors: [/the callback failed at/u] },
    );
    expect(await inAgent(page, `openBox(${id})`)).to.equal(true);
    await recordOf(page, "openComBox");
    await inAgent(page, "destroy()");
    expect(
      await page.evaluate("document.querySelectorAll('#im-agent, link[data-im]').length"),
    ).to.equal(0);
  });

  it("invites a customer, and hides the agent from colleagues", async () => {
    const page = await loader.open({ params: { directory: true, directoryStartOpen: true } });
    const id = await inAgent<number>(page, 'invite({ email: "new@example.com", reference: "R1" })');
    const { body } = await loader.api.succeed(`GET /tickets/${id}`);
    expect(body).to.deep.include({ state: "invited", reference: "R1" });
    expect(await inAgent(page, 'setPresence("offline")')).to.equal(true);
    await page.getByRole("button", { name: "Others see you offline" }).waitFor();
  });

  it("retries temporary rejections of the handshake and of a customer's first message", async () => {
    const { roomToken } = await loader.aTicket();
    const customer = await loader.aCustomer(roomToken);
    const page = await loader.browser.open();
    const refused = new Set<string>();
    await page.routeWebSocket(/signalling/u, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((sent) => {
        const [, id = "", type = ""] = /^42\/agent,(\d+)\["(hello|open)"/u.exec(String(sent)) ?? [];
        if (type === "" || refused.has(type)) {
          server.send(sent);
        } else {
          refused.add(type);
          const error = { kind: "rate_limited", detail: "Too many messages." };
          socket.send(`43/agent,${id}[${JSON.stringify({ ok: false, error })}]`);
        }
      });
    });
    await loader.host.show(page);
    await recordOf(page, "init");
    await customer.ask("chat", aMessage("Is anybody there?"));
    await recordOf(page, "showNewMessage");
    await page.getByRole("log").getByText("Is anybody there?").waitFor();
    expect([...refused]).to.deep.equal(["hello", "open"]);
  });

  it("reports missing arguments, and an invalid token", async () => {
    const page = await loader.browser.open({ expectedErrors: [/loadAgent/u, /TypeError/u] });
    const errors: string[] = [];
    page.on("console", (message) => void errors.push(message.text()));
    await loader.host.show(page, { userInfos: { id: 1, token: "wrong", nickname: "X" } });
    await eventually(() => errors.some((text) => text.includes("the token is invalid")));
    expect(await recordsOf(page)).to.deep.equal([]);
    const refused = await page.evaluate<string>(
      "(() => { try { loadAgent('//x/', '', {}); } catch (e) { return `${e.name} ${e.message}`; } })()",
    );
    expect(refused).to.match(/^TypeError loadAgent: apiCCkey is required/u);
  });

  it("says that the session has ended, and disables writing", async () => {
    const { id } = await loader.aTicket();
    const own = await anotherSite();
    await loader.allow(own);
    const page = await loader.browser.open();
    await page.clock.install();
    const sockets: WebSocket[] = [];
    page.on("websocket", (socket) => void sockets.push(socket));
    const warnings: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "warning") {
        warnings.push(message.text());
      }
    });
    await own.show(page);
    await recordOf(page, "init");
    await inAgent(page, `openBox(${id})`);
    await recordOf(page, "openComBox");
    const before = await recordsOf(page);
    const token = await page.evaluate<string>("window.agent.userInfos.token");
    await fetch(`${loader.platform.url}/api/token`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${token}` },
    });
    // Tokens are checked every 15 s.
    await page.getByText("Your session has ended.").waitFor({ timeout: 25_000 });
    expect(await recordsOf(page), "no callback: the console says it").to.deep.equal(before);
    expect(warnings).to.deep.equal([
      "loadAgent: The access token has expired. The agent module has stopped; sign the user in again.",
    ]);
    await eventually(() => sockets.every((socket) => socket.isClosed()));
    const { length } = sockets;
    expect(length).to.be.greaterThan(0);
    await page.clock.runFor(60_000); // a deferred action would run now
    expect(await inAgent(page, `sendMessage(${id}, "too late")`)).to.equal(false);
    expect(sockets).to.have.length(length);
    expect(await page.getByPlaceholder("Write a message").isDisabled()).to.equal(true);
  });

  it("stays disabled on a page of another site", async () => {
    const stranger = await anotherSite();
    const page = await loader.browser.open({ expectedErrors: [/CORS|loadAgent|ERR_FAILED/u] });
    const errors: string[] = [];
    page.on("console", (message) => void errors.push(message.text()));
    await stranger.show(page);
    await eventually(() =>
      errors.some((text) => text.includes("is not an allowed domain of this enterprise")),
    );
    expect(await recordsOf(page)).to.deep.equal([]);
    expect(await page.evaluate("document.getElementById('im-agent')")).to.equal(null);
  });
});
