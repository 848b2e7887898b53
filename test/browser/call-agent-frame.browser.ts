/** The agent's page in a frame of an allowed site, and its messages to that site. */
import { expect } from "chai";
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

  it("notifies the embedding page of each photo, with the id of the stored media", async () => {
    const { body } = await rest().succeed("GET /users/me");
    await rest().succeed(`POST /enterprises/${String(body["enterpriseId"])}/domains`, {
      body: { domain: host, alias: `video.${host}` },
    });
    const ticket = await create({
      ...{ scope: "sso", firstname: "Ana", lastname: "Silva", invite: true },
    });
    const { sso_url: url } = ticket as Made & { sso_url: string };
    const page = await browser.open({
      hosts: [host],
      context: { permissions: ["camera", "microphone", "local-network-access"] },
    });
    await page.route(`https://${host}/**`, (route) =>
      route.fulfill(
        route.request().url().endsWith("/listen.js")
          ? {
              contentType: "text/javascript",
              body: "window.received = []; addEventListener('message', (m) => received.push(m.data));",
            }
          : {
              contentType: "text/html",
              body: `<!doctype html><title>CRM</title><script src="/listen.js"></script>
                <iframe title="Call" style="width:100%;height:760px" allow="camera;microphone"
                  src="${url.replace(/^https?:\/\/[^/]+/u, platform.url)}"></iframe>`,
            },
      ),
    );
    await page.goto(`https://${host}/`);
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
