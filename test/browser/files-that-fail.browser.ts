import { expect } from "chai";
import type { Page, Route } from "playwright-core";
import { views, type View } from "../../web/build/pages.ts";
import { admin, agent, useBrowserPlatform } from "../support/browser-platform.ts";
import { screenshots, useBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { isNight } from "../support/night.ts";

const expectedErrors = [
  /Failed to fetch|Failed to load|preload|FailedImportError|ApiProblem|NewVersionError/u,
];

/** Whether the page shows text, even if parts of it are missing. */
function hasWords(page: Page): Promise<boolean> {
  return page.evaluate<boolean>("document.body.innerText.trim().length > 20").catch(() => false);
}

function isStarted(page: Page): Promise<boolean> {
  return page
    .evaluate<boolean>(
      "document.querySelector('#start') === null && document.styleSheets.length > 0",
    )
    .catch(() => false);
}

/** The script that retries other files. A page works without it if no other file fails. */
const retryScript = "/start.js";

/** The message in place of a part that cannot be loaded. */
const notLoaded = /cannot be reached|[Rr]eload/u;

function isAsset({ pathname }: URL): boolean {
  return /\.(?:js|css)$/u.test(pathname);
}

/** The files without which the page cannot start: its entries and styles. */
async function entriesOf(page: Page, address: string): Promise<string[]> {
  const html = await (await page.request.get(address)).text();
  const tags = /<(?:script\b[^>]*\bsrc|link rel="stylesheet"[^>]*\bhref)="([^"]+)"/gu;
  const urls = [...html.matchAll(tags)].map(([, path]) => new URL(path ?? "", address));
  return urls.filter(isAsset).map(({ pathname }) => pathname);
}

describe("a page of which an asset cannot be loaded", function () {
  this.timeout(isNight ? 3_600_000 : 900_000);
  const platform = useBrowserPlatform();
  const browser = useBrowser();

  /** Objects of the demo enterprise. Other ids show "not found". */
  const ids: Record<string, number | string> = {};
  before("find a webhook and a service, and invite a customer", async () => {
    const idOf = async (table: string): Promise<number> =>
      (await platform.db(table).where({ enterprise_id: platform.enterpriseId }).first("id")).id;
    ids["$webhookId"] = await idOf("subscriptions");
    ids["$serviceId"] = await idOf("services");
    const rest = await platform.rest(admin);
    const body = { agent: agent.login, email: "jane@customer.example", invite: 1 };
    const { body: ticket } = await rest.succeed("POST /tickets", { body });
    ids["$secret"] = String(ticket["requestor_url"]).split("/").at(-1) ?? "";
  });

  const addressOf = ({ address }: View): string =>
    address === "/inbox/$key"
      ? platform.inboxUrl
      : `${platform.url}${address.replaceAll(/\$\w+/gu, (name) => String(ids[name] ?? 1))}`;

  type Shown = Readonly<{ name: string; address: string }>;

  /**
   * Whether the page has recovered: it shows no error, and has requested each refused file again.
   */
  const isBack = async (page: Page, asked: ReadonlyMap<string, number>): Promise<boolean> =>
    [...asked].every(([path, count]) => count > 1 || path === retryScript) &&
    (await isStarted(page)) &&
    (await hasWords(page)) &&
    (await page.getByRole("alert").filter({ hasText: notLoaded }).count()) === 0;

  /** Opens the page, and refuses the first request for each chosen file: the page must recover. */
  const openWithout = async (
    page: Page,
    { name, address }: Shown,
    isChosen: (path: string) => boolean,
  ): Promise<void> => {
    const asked = new Map<string, number>();
    const refuseOnce = async (route: Route): Promise<void> => {
      const { pathname } = new URL(route.request().url());
      const isRefused = !asked.has(pathname) && isChosen(pathname);
      if (isRefused || asked.has(pathname)) {
        asked.set(pathname, (asked.get(pathname) ?? 0) + 1);
      }
      await (isRefused ? route.abort() : route.continue());
    };
    await page.route(isAsset, refuseOnce);
    await page.goto(address);
    await eventually(
      async () => {
        const counts = JSON.stringify([...asked]);
        expect(await isBack(page, asked), `${name} is back: ${counts}`).to.equal(true);
      },
      { timeoutMs: 30_000, everyMs: 100 },
    );
    await page.unroute(isAsset, refuseOnce);
  };

  /** The first page of each folder and every sixth one; all of them in the nightly run. */
  const opened = views.filter(
    ({ folder }, at) =>
      isNight || at % 6 === 0 || views.findIndex((one) => one.folder === folder) === at,
  );

  /**
   * Number of concurrent pages, because a page mostly waits before it retries. In the nightly run,
   * each page refuses its own files.
   */
  const sideBySide = isNight ? 1 : 3;

  it("recovers without intervention, for any asset of any page", async () => {
    const page = await browser.open({ expectedErrors });
    await platform.signIn(page, admin, "/settings/profile");
    const refused = new Set<string>();
    const isNew = (path: string): boolean => {
      const before = refused.size;
      return refused.add(path).size > before;
    };
    const openEach = async (view: View): Promise<void> => {
      // A shared asset is refused on the first page that uses it; in the nightly run on each.
      if (isNight) {
        refused.clear();
      }
      const own = await browser.openBeside(page);
      await own.addInitScript("Math.random = () => 0"); // the shortest retry delay
      const shown = { name: view.name, address: addressOf(view) };
      const entries = await entriesOf(own, shown.address);
      expect(entries, view.name).to.not.deep.equal([]);
      for (const file of entries.filter((path) => !refused.has(path))) {
        await openWithout(own, shown, (path) => path === file && isNew(path));
        expect(refused.has(file), `${view.name} asks for ${file}`).to.equal(true);
      }
      // Preloaded modules are refused all at once; one after the other in the nightly run.
      let before: number;
      do {
        before = refused.size;
        let left = isNight ? 1 : Number.POSITIVE_INFINITY;
        await openWithout(own, shown, (path) => {
          const isChosen = left > 0 && !entries.includes(path) && isNew(path);
          left -= isChosen ? 1 : 0;
          return isChosen;
        });
      } while (isNight && refused.size > before);
      await own.close();
    };
    const waiting = [...opened];
    const openNext = async (): Promise<void> => {
      for (let view = waiting.shift(); view !== undefined; view = waiting.shift()) {
        await openEach(view);
      }
    };
    await Promise.all(Array.from({ length: sideBySide }, openNext));
    expect(refused.size).to.be.greaterThan(isNight ? 5 : 30);
  });

  it("is not loaded again if the browser reports a script that has arrived, as Firefox does", async () => {
    const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    const page = await browser.open({ expectedErrors, context: { userAgent } });
    await platform.signIn(page, admin, "/settings/profile");
    // Whether the page shows that it could not be loaded, once it has asked for the script again.
    const report = `(async () => {
      const find = performance.getEntriesByName.bind(performance);
      let looks = 0; // at first the script has no timing
      performance.getEntriesByName = (name) => ((looks += 1) > 1 ? find(name) : []);
      const link = document.querySelector('link[rel="modulepreload"]');
      const { fetch } = window;
      const asked = new Promise((resolve) => {
        window.fetch = (url, options) => {
          const answer = fetch(url, options);
          if (url === link.href) resolve(answer.then((one) => one.clone().text(), () => ""));
          return answer;
        };
      });
      link.dispatchEvent(new Event("error"));
      await asked;
      await new Promise((done) => setTimeout(done));
      return [link.href, document.querySelector("#start[data-shown]") !== null];
    })()`;
    const [url, isShown] = await page.evaluate<[string, boolean]>(report);
    expect(isShown).to.equal(false);
    await page.route(url, (route) => route.abort(), { times: 1 });
    const [, isShownAfterFailure] = await page.evaluate<[string, boolean]>(report);
    expect(isShownAfterFailure).to.equal(true);
    await eventually(() => isStarted(page), { timeoutMs: 10_000 });
  });

  it("keeps the navigation if a page cannot be loaded, and shows the page once it can", async () => {
    const page = await browser.open({ expectedErrors });
    await platform.signIn(page, admin, "/settings/profile");
    const scripts = "**/assets/*.js";
    await page.route(scripts, (route) => route.abort());
    await page.getByRole("link", { name: "Statistics" }).click();
    const alert = page.getByRole("main").getByRole("alert");
    await alert.getByText("Part of this page could not be loaded").waitFor();
    await page.getByRole("link", { name: "Tickets" }).waitFor();
    await screenshots(page, "page-lost");
    await page.unroute(scripts);
    await page.getByRole("heading", { name: "Statistics", level: 1 }).waitFor();
    expect(await alert.count()).to.equal(0);
  });

  it("keeps the frame while the session gets too many requests, and retries by itself", async () => {
    const page = await browser.open({ expectedErrors: [...expectedErrors, /429/u] });
    await platform.signIn(page, admin, "/settings/profile");
    const session = "**/api/browser-session";
    const headers = { "Retry-After": "2", "Content-Type": "application/problem+json" };
    const body = JSON.stringify({ status: 429, code: 12, detail: "Try again in 2 s." });
    await page.route(session, (route) => route.fulfill({ status: 429, headers, body }));
    await page.goto(`${platform.url}/settings/profile`);
    const alert = page.getByRole("main").getByRole("alert");
    await alert
      .getByText(/Next attempt in \d s/u)
      .first()
      .waitFor();
    expect(await alert.getByText("Try again in 2 s.").count()).to.equal(0);
    await page.getByRole("banner").getByText("Sightline").waitFor();
    await screenshots(page, "session-busy");
    await page.unroute(session);
    await page.getByRole("heading", { name: "Profile", level: 1 }).waitFor();
  });

  it("shows a toast as soon as the script of toasts can be loaded", async () => {
    const page = await browser.open({ expectedErrors });
    const toastList = /\/assets\/toast-list-[^/]+\.js$/u;
    let refusals = 0;
    await page.route(toastList, (route) => {
      refusals += 1;
      return route.abort();
    });
    await platform.signIn(page, admin, `/settings/services/${ids["$serviceId"]}`);
    const name = page.getByRole("textbox", { name: "Name" }).first();
    const rename = async (text: string): Promise<void> => {
      await name.fill(text);
      await page.getByRole("button", { name: "Save" }).first().click();
    };
    await rename("Boilers");
    await eventually(() => expect(refusals).to.be.greaterThan(0));
    const toast = page.getByRole("alert").getByText("Saved");
    expect(await toast.count()).to.equal(0);
    await page.unroute(toastList);
    await rename("Heating");
    await toast.first().waitFor();
  });

  it("offers a reload if the platform was updated", async () => {
    const page = await browser.open({ expectedErrors });
    await platform.signIn(page, admin, "/settings/profile");
    // Simulates a deployment: the page has a new entry, and the scripts of the open page are gone.
    await page.route("**/assets/*.js", (route) => route.fulfill({ status: 404 }));
    await page.route("**/statistics", async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll(
        /assets\/console-[\w-]+\.js/gu,
        "assets/x.js",
      );
      await route.fulfill({ response, body });
    });
    await page.getByRole("link", { name: "Statistics" }).click();
    await page.getByRole("main").getByText("A new version is available").waitFor();
    await screenshots(page, "page-new-version");
    await page.unrouteAll();
    await page.getByRole("button", { name: "Reload page" }).click();
    await page.getByRole("heading", { name: "Statistics", level: 1 }).waitFor();
  });

  it("sends one probe with backoff while the platform is unreachable", async () => {
    const page = await browser.open({ expectedErrors: [/./u] });
    await page.addInitScript("Math.random = () => 0.5"); // retry delays differ between browsers
    await platform.signIn(page, admin, "/settings/webhooks");
    await page.getByRole("heading", { name: "Webhooks", level: 1 }).waitFor();
    const asked: { path: string; at: number }[] = [];
    const isOurs = (url: URL): boolean =>
      url.pathname.startsWith("/api/") || url.pathname === "/readyz";
    await page.route(isOurs, async (route) => {
      asked.push({ path: new URL(route.request().url()).pathname, at: Date.now() });
      await route.abort();
    });
    const notice = page.getByRole("status").filter({ hasText: "The platform is unreachable." });
    await notice.waitFor({ timeout: 30_000 });
    const probes = () => asked.filter(({ path }) => path === "/readyz");
    await eventually(() => probes().length >= 3, { timeoutMs: 30_000 });
    const [first, second, third] = probes().map(({ at }) => at);
    expect((third ?? 0) - (second ?? 0)).to.be.greaterThan((second ?? 0) - (first ?? 0));
    const since = asked.filter(({ at }) => at > (first ?? 0));
    expect(since.filter(({ path }) => path !== "/readyz")).to.deep.equal([]);
    await screenshots(page, "away");
    await page.unrouteAll();
    await notice.getByRole("button", { name: "Retry now" }).click();
    await notice.waitFor({ state: "detached" });
  });
});
