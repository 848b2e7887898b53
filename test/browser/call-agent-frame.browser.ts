/** The agent's page in a frame of an allowed site, and its messages to that site. */
import { expect } from "chai";
import type { Page } from "playwright-core";
import { useBrowser } from "../support/browser.ts";
import { enterAsCustomer } from "../support/call-customer.ts";
import { eventually } from "../support/eventually.ts";
import { press, seeHeading } from "../support/screens.ts";
import { useTicketsConsole, type Made } from "../support/tickets-console.ts";

type Received = { source: string; type: string; mediaId?: number };

describe("the agent's page in a frame", function () {
  this.timeout(150_000);
  const { platform, rest, create } = useTicketsConsole();
  const browser = useBrowser();
  const host = "crm.agent-frame.example";

  const listening = {
    contentType: "text/javascript",
    body: "window.received = []; addEventListener('message', (m) => received.push(m.data));",
  };
  const frameOf = (url: string) =>
    `<iframe title="Call" style="width:100%;height:760px" allow="camera;microphone"
       src="${url.replace(/^https?:\/\/[^/]+/u, platform.url)}"></iframe>`;

  before("allow the site", async () => {
    const { body } = await rest().succeed("GET /users/me");
    await rest().succeed(`POST /enterprises/${String(body["enterpriseId"])}/domains`, {
      body: { domain: host, alias: `video.${host}` },
    });
  });

  const aTicket = (firstname: string) =>
    create({ scope: "sso", firstname, lastname: "Silva", invite: true }) as Promise<
      Made & { sso_url: string }
    >;

  /** The page of the allowed site, with the agent's page of the ticket in a frame. */
  async function openHost({ sso_url: url }: { sso_url: string }): Promise<Page> {
    const page = await browser.open({
      hosts: [host],
      context: { permissions: ["camera", "microphone", "local-network-access"] },
    });
    const html = `<!doctype html><title>CRM</title><script src="/listen.js"></script>`;
    await page.route(`https://${host}/**`, (route) =>
      route.fulfill(
        route.request().url().endsWith("/listen.js")
          ? listening
          : { contentType: "text/html", body: html + frameOf(url) },
      ),
    );
    await page.goto(`https://${host}/`);
    return page;
  }

  it("keeps its ticket if the site opens that of another one beside it", async () => {
    const [first, second] = [await aTicket("Ana"), await aTicket("Bea")];
    const page = await openHost(first);
    await seeHeading(page.frameLocator("iframe"), "Waiting for Ana Silva");
    const add = `document.body.insertAdjacentHTML("beforeend", ${JSON.stringify(frameOf(second.sso_url))})`;
    await page.evaluate(add);
    await seeHeading(page.locator("iframe").nth(1).contentFrame(), "Waiting for Bea Silva");
    for (const [at, { id }] of [first, second].entries()) {
      const status = page
        .locator("iframe")
        .nth(at)
        .contentFrame()
        .locator("body")
        .evaluate<number, unknown>(`fetch("/api/tickets/${id}").then((it) => it.status)`);
      expect(await status).to.equal(200);
    }
  });

  it("notifies the embedding page of each photo, with the id of the stored media", async () => {
    const ticket = await aTicket("Ana");
    const page = await openHost(ticket);
    const frame = page.frameLocator("iframe");
    await seeHeading(frame, "Waiting for Ana Silva");
    await enterAsCustomer(ticket, { platform, browser });
    await press(frame, "Answer");
    const tool = (name: string) => frame.locator(`[data-tool="${name}"]`);
    await frame.locator("[data-customer-video]").waitFor();
    for (const [name, count] of [
      ["photo", 1],
      ["freeze", 2],
    ] as const) {
      await eventually(async () => {
        expect(await tool(name).getAttribute("aria-disabled")).to.equal(null);
      });
      await tool(name).click();
      const notified = await eventually(async () => {
        const received = await page.evaluate<Received[]>("received");
        const photos = received.filter(({ type }) => type === "snapshot");
        expect(photos).to.have.length(count);
        return photos;
      });
      const { mediaId } = notified.at(-1) ?? {};
      expect(notified.at(-1)).to.deep.equal({ source: "sightline", type: "snapshot", mediaId });
      const stored = (await rest().succeed(`GET /medias/${mediaId}`)).body;
      expect(stored["source_type"]).to.equal("ticket_snapshot");
      expect(stored["filesize"]).to.be.above(0);
    }
    const received = await page.evaluate<Received[]>("received");
    const words = received.map(({ type }) => type).filter((type) => type !== "ringing");
    expect(words).to.deep.equal(["ready", "joined", "snapshot", "snapshot"]);
  });
});
