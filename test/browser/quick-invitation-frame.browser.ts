import { expect } from "chai";
import type { Page } from "playwright-core";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { admin, agent, useBrowserPlatform } from "../support/browser-platform.ts";
import { phone, useBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";

describe("the quick invitation in a frame of another site", function () {
  this.timeout(90_000);
  const platform = useBrowserPlatform();
  const browser = useBrowser();
  let serviceKey = "";
  const host = "crm.customer.example";
  before(async () => {
    const rest = await platform.rest(admin);
    const listed = (await rest.succeed("GET /services?kind=ticket")).body["data"];
    serviceKey = (listed as { service_key: string }[])[0]?.service_key ?? "";
    const { body } = await rest.succeed("GET /users/me");
    await rest.succeed(`POST /enterprises/${String(body["enterpriseId"])}/domains`, {
      body: { domain: host, alias: `video.${host}` },
    });
  });
  /** A page of that site, which keeps what it is told. */
  const embed = async (site: string, query: string, options = {}): Promise<Page> => {
    const page = await browser.open({
      hosts: [site],
      viewport: phone,
      // A page of the internet that frames one of this machine: browsers ask before.
      context: { permissions: ["local-network-access"] },
      ...options,
    });
    const src = `${platform.url}/quick-invitation${query}`;
    await page.route(`https://${site}/**`, (route) =>
      route.request().url().endsWith("/listen.js")
        ? route.fulfill({
            contentType: "text/javascript",
            body: "window.told = []; addEventListener('message', (m) => told.push(m.data));",
          })
        : route.fulfill({
            contentType: "text/html",
            body: `<!doctype html><title>CRM</title><script src="/listen.js"></script>
              <iframe title="Invite" style="width:100%;height:760px"
                allow="microphone;camera;geolocation;display-capture"
                src="${src.replaceAll("&", "&amp;")}"></iframe>`,
          }),
    );
    await page.goto(`https://${site}/`);
    return page;
  };

  it("signs in, invites, and tells the page around it what it did, where the site is allowed", async () => {
    const page = await embed(host, `?service_key=${serviceKey}`);
    const frame = page.frameLocator("iframe");
    await frame.getByLabel("Login").fill(agent.login);
    await frame.getByLabel("Password", { exact: true }).fill(agent.password);
    await frame.getByRole("button", { name: "Sign in" }).click();
    await frame.getByLabel("Who is invited", { exact: true }).fill("framed@customer.example");
    await frame.getByRole("button", { name: /^Send/u }).click();
    await frame.getByText("1 of 1 invited").waitFor();
    const made = await rowsOf(
      platform.db,
      "SELECT id FROM tickets WHERE requestor_email = 'framed@customer.example'",
    );
    expect(made).to.have.length(1);
    const told = await page.evaluate<Record<string, unknown>[]>("told");
    expect(told[0]).to.deep.equal({ source: "sightline", type: "ready" });
    expect(told.at(-1)).to.include({ source: "sightline", type: "invited", kind: "ticket" });
    expect(JSON.stringify(told)).to.not.contain("http");
    const [cookie] = (await page.context().cookies(platform.url)).filter(
      ({ httpOnly }) => httpOnly,
    );
    expect(cookie?.sameSite).to.equal("None");
  });

  it("is not shown where the site is not allowed", async () => {
    const refusals: string[] = [];
    const page = await embed("evil.example", `?service_key=${serviceKey}`, {
      expectedErrors: [/frame-ancestors/u],
    });
    page.on("console", (message) => void refusals.push(message.text()));
    await page.reload();
    await eventually(() => page.frames().some((frame) => frame.url().startsWith("chrome-error")));
    expect(refusals.some((text) => text.includes("frame-ancestors"))).to.equal(true);
    expect(await page.frameLocator("iframe").getByLabel("Login").count()).to.equal(0);
  });

  it("offers a tab of its own where the browser keeps no cookie", async () => {
    const page = await embed(host, `?service_key=${serviceKey}&reference=7`);
    await page.route("**/api/browser-session", async (route) => {
      const answer = await route.fetch();
      const headers = { ...answer.headers() };
      delete headers["set-cookie"];
      await page.context().clearCookies(); // what was asked beside the browser is kept in it, too
      await route.fulfill({ response: answer, headers });
    });
    const frame = page.frameLocator("iframe");
    await frame.getByLabel("Login").fill(agent.login);
    await frame.getByLabel("Password", { exact: true }).fill(agent.password);
    await frame.getByRole("button", { name: "Sign in" }).click();
    const link = frame.getByRole("link", { name: "Open in a new tab" });
    await link.waitFor();
    expect(await link.getAttribute("href")).to.contain("reference=7");
    expect(await link.getAttribute("target")).to.equal("_blank");
  });
});
