import { expect } from "chai";
import type { Page } from "playwright-core";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { admin, agent, useBrowserPlatform } from "../support/browser-platform.ts";
import { findBarriers, seeFits, phone, screenshot, useBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { changeIdentities } from "../support/identities.ts";
import type { Login } from "../support/rest-client.ts";

describe("the quick invitation in a frame of another site", function () {
  this.timeout(90_000);
  const platform = useBrowserPlatform();
  const browser = useBrowser();
  let serviceKey = "";
  const host = "crm.customer.example";
  /**
   * Browsers resolve names below `localhost` to this machine, and treat them as secure contexts.
   */
  const local = "crm.localhost";
  /** A user of another enterprise without allowed domains. */
  const stranger: Login = { login: "boss@second.example", password: "Correct-horse-9" };
  before(async () => {
    const rest = await platform.rest(admin);
    const listed = (await rest.succeed("GET /services?kind=ticket")).body["data"];
    serviceKey = (listed as { service_key: string }[])[0]?.service_key ?? "";
    const { body } = await rest.succeed("GET /users/me");
    for (const domain of [host, local]) {
      await rest.succeed(`POST /enterprises/${String(body["enterpriseId"])}/domains`, {
        body: { domain, alias: `video.${domain}` },
      });
    }
    const asRole = (role: "admin" | "superadmin") =>
      changeIdentities(platform.db, "UPDATE users SET role = ? WHERE login = ?", [
        role,
        admin.login,
      ]);
    await asRole("superadmin");
    const chief = await platform.rest(admin); // a token that no process has cached
    await chief.succeed("POST /enterprises", { body: { name: "Second Ltd", admin: stranger } });
    await asRole("admin");
  });
  /** A page of that site that records the messages. */
  const embedAt = async (site: string, src: string, options = {}): Promise<Page> => {
    const page = await browser.open({
      hosts: [new URL(site).hostname, new URL(src).hostname],
      viewport: phone,
      // Browsers ask for permission before a public page frames a local one.
      context: { permissions: ["local-network-access"] },
      ...options,
    });
    await page.route(`${site}/**`, (route) =>
      route.request().url().endsWith("/listen.js")
        ? route.fulfill({
            contentType: "text/javascript",
            body: "window.received = []; addEventListener('message', (m) => received.push(m.data));",
          })
        : route.fulfill({
            contentType: "text/html",
            body: `<!doctype html><title>CRM</title><script src="/listen.js"></script>
              <iframe title="Invite" style="width:100%;height:760px"
                allow="microphone;camera;geolocation;display-capture"
                src="${src.replaceAll("&", "&amp;")}"></iframe>`,
          }),
    );
    await page.goto(`${site}/`);
    return page;
  };

  const embed = (site: string, query: string, options = {}): Promise<Page> =>
    embedAt(`https://${site}`, `${platform.url}/quick-invitation${query}`, options);

  /** The platform under another host name. */
  const asHost = (name: string): string => {
    const url = new URL(`${platform.url}/quick-invitation`);
    url.hostname = name;
    return url.href;
  };

  const signIn = async (page: Page, { login, password } = agent): Promise<void> => {
    const frame = page.frameLocator("iframe");
    await frame.getByLabel("Login").fill(login);
    await frame.getByLabel("Password", { exact: true }).fill(password);
    await frame.getByRole("button", { name: "Sign in" }).click();
  };

  const innerOf = (page: Page) => page.frames()[1] ?? page.mainFrame();

  const isRefused = (page: Page): boolean =>
    page.frames().some((frame) => frame.url().startsWith("chrome-error"));

  /** A page of a domain that is not allowed. */
  const expectRefused = async (site: string, src: string): Promise<void> => {
    const refusals: string[] = [];
    const page = await embedAt(site, src, { expectedErrors: [/frame-ancestors/u] });
    page.on("console", (message) => void refusals.push(message.text()));
    await page.reload();
    await eventually(() => {
      expect(isRefused(page)).to.equal(true);
      expect(refusals.some((text) => text.includes("frame-ancestors"))).to.equal(true);
    });
    expect(await page.frameLocator("iframe").getByLabel("Login").count()).to.equal(0);
  };

  it("is in French in the frame, from the sign-in to the result", async () => {
    const page = await embed(host, `?service_key=${serviceKey}`, { language: "fr" });
    const frame = page.frameLocator("iframe");
    await frame.getByLabel("Identifiant").fill(agent.login);
    await frame.getByLabel("Mot de passe", { exact: true }).fill(agent.password);
    await frame.getByRole("button", { name: "Se connecter" }).click();
    await frame.getByLabel("Personnes à inviter", { exact: true }).fill("cadre@customer.example");
    expect(await findBarriers(innerOf(page)), "the form").to.deep.equal([]);
    await frame.getByRole("button", { name: "Envoyer l’invitation" }).click();
    await frame.getByText("1 sur 1 invités").waitFor();
    expect(await innerOf(page).evaluate("document.documentElement.lang")).to.equal("fr");
    expect(await findBarriers(innerOf(page)), "the results").to.deep.equal([]);
    await screenshot(page, "quick-invitation-frame-fr");
  });

  it("signs in, invites, and notifies the embedding page, if the site is allowed", async () => {
    const page = await embed(host, `?service_key=${serviceKey}&reference=4711`);
    const frame = page.frameLocator("iframe");
    await frame.getByLabel("Login").waitFor();
    expect(await findBarriers(innerOf(page)), "signing in").to.deep.equal([]);
    await signIn(page);
    await frame.getByText("4711", { exact: true }).waitFor();
    await frame.getByLabel("People to invite", { exact: true }).fill("framed@customer.example");
    expect(await findBarriers(innerOf(page)), "the form").to.deep.equal([]);
    await frame.getByRole("button", { name: /^Send/u }).click();
    await frame.getByText("1 of 1 invited").waitFor();
    expect(await findBarriers(innerOf(page)), "the results").to.deep.equal([]);
    await screenshot(page, "quick-invitation-frame");
    const made = await rowsOf(
      platform.db,
      "SELECT id FROM tickets WHERE requestor_email = 'framed@customer.example'",
    );
    expect(made).to.have.length(1);
    const texts = await page.evaluate<Record<string, unknown>[]>("received");
    expect(texts[0]).to.deep.equal({ source: "sightline", type: "ready" });
    expect(texts.at(-1)).to.include({ source: "sightline", type: "invited", kind: "ticket" });
    expect(JSON.stringify(texts)).to.not.contain("http");
    const [cookie] = (await page.context().cookies(platform.url)).filter(
      ({ httpOnly }) => httpOnly,
    );
    expect(cookie?.sameSite).to.equal("None");
  });

  it("works through an alias in the site's own domain, which identifies the enterprise", async () => {
    const page = await embedAt(`http://${local}`, asHost(`video.${local}`));
    await signIn(page);
    const frame = page.frameLocator("iframe");
    await frame.getByLabel("Service").selectOption(serviceKey);
    await frame.getByLabel("People to invite", { exact: true }).fill("alias@customer.example");
    await frame.getByRole("button", { name: /^Send/u }).click();
    await frame.getByText("1 of 1 invited").waitFor();
    expect(await page.evaluate<unknown[]>("received")).to.deep.include({
      source: "sightline",
      type: "ready",
    });
    const kept = await page.context().cookies(asHost(`video.${local}`));
    // The session cookie and the cookie of a known browser.
    expect(kept.filter(({ httpOnly }) => httpOnly).map(({ domain }) => domain)).to.deep.equal([
      `video.${local}`,
      `video.${local}`,
    ]);
    await page.reload();
    await frame.getByLabel("People to invite", { exact: true }).waitFor();
    await seeFits(page);
  });

  it("cannot be framed by a site that is not allowed", async () => {
    const src = `${platform.url}/quick-invitation?service_key=${serviceKey}`;
    await expectRefused("https://evil.example", src);
  });

  it("cannot be framed by another site through an alias, nor under an unknown name", async () => {
    await expectRefused("http://evil.localhost", asHost(`video.${local}`));
    await expectRefused(`http://${local}`, asHost(`other.${local}`));
  });

  it("shows nothing to a user of another enterprise who signs in", async () => {
    const page = await embed(host, `?service_key=${serviceKey}`, {
      expectedErrors: [/frame-ancestors/u],
    });
    await signIn(page, stranger);
    await eventually(() => isRefused(page), { timeoutMs: 15_000 });
    expect(await page.evaluate("received"), "the form was never there").to.deep.equal([]);
  });

  it("shows nothing to them either if the session changes after the page was loaded", async () => {
    const page = await embed(host, `?service_key=${serviceKey}`, {
      expectedErrors: [/frame-ancestors/u],
    });
    await page.frameLocator("iframe").getByLabel("Login").waitFor();
    await page.clock.install();
    const body = JSON.stringify({ ...stranger, embedded: true });
    const status = await innerOf(page).evaluate(`fetch("/api/browser-session", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: ${JSON.stringify(body)},
    }).then((answer) => answer.status)`);
    expect(status).to.equal(200);
    await page.clock.fastForward(61_000); // the cached answer has expired and is requested again
    await innerOf(page).evaluate("window.dispatchEvent(new Event('visibilitychange'))");
    await eventually(() => isRefused(page), { timeoutMs: 15_000 });
    expect(await page.evaluate("received"), "the form was never there").to.deep.equal([]);
  });

  it("offers a tab if the browser blocks the cookie", async () => {
    const page = await embed(host, `?service_key=${serviceKey}&reference=7`);
    await page.route("**/api/browser-session", async (route) => {
      const answer = await route.fetch();
      const headers = { ...answer.headers() };
      delete headers["set-cookie"];
      await page.context().clearCookies(); // which `route.fetch` has set
      await route.fulfill({ response: answer, headers });
    });
    const frame = page.frameLocator("iframe");
    await signIn(page);
    const link = frame.getByRole("link", { name: "Open in a new tab" });
    await link.waitFor();
    expect(await link.getAttribute("href")).to.contain("reference=7");
    expect(await link.getAttribute("target")).to.equal("_blank");
  });
});
