import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import type { Browser, BrowserContext } from "playwright-core";
import { launchChromium } from "../../bench/support/chromium.ts";
import { watch } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";

/** Another origin on the same machine. */
const elsewhere = "127.0.0.2";

const pages: Readonly<Record<string, string>> = {
  "/": "<title>Ours</title>",
  "/opened": `<script>new WebSocket("ws://${elsewhere}:9/from-a-tab"); fetch("http://${elsewhere}:9/tab");</script>`,
  "/throws": "<script>console.error('said'); throw new Error('thrown');</script>",
};

describe("the page watcher of the tests", function () {
  this.timeout(60_000);
  let server: Server;
  let url = "";
  let browser: Browser;
  let context: BrowserContext;
  let faults: string[] = [];

  before(async () => {
    server = createServer(({ url: path = "" }, response) => {
      const isScript = path === "/worker.js";
      response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
      response.end(isScript ? "" : (pages[path] ?? ""));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await launchChromium();
  });
  after(async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
  });
  beforeEach(async () => {
    context = await browser.newContext();
    faults = [];
    watch(context, faults, { expectedErrors: [/ERR_CONNECTION_REFUSED/u] });
  });
  afterEach(() => context.close());

  const open = async (path = "/") => {
    const page = await context.newPage();
    await page.goto(`${url}${path}`);
    return page;
  };
  const texts = (fault: string) => eventually(() => faults.includes(fault));

  it("accepts pages, frames, sockets and tabs of our own", async () => {
    const page = await open();
    const popup = page.waitForEvent("popup");
    await page.evaluate(
      `new WebSocket("${url.replace("http", "ws")}/"); open("${url}/"); fetch("/"); 0`,
    );
    await (await popup).waitForLoadState();
    expect(faults.filter((fault) => !fault.startsWith("console: WebSocket"))).to.deep.equal([]);
  });

  it("detects external requests and sockets", async () => {
    const page = await open();
    await page.evaluate(
      `fetch("http://${elsewhere}:9/x").catch(() => {}); new WebSocket("ws://${elsewhere}:9/y"); 0`,
    );
    await texts(`left our origin: http://${elsewhere}:9/x`);
    await texts(`left our origin: ws://${elsewhere}:9/y`);
  });

  it("detects an external tab, and external requests of a tab opened by a page", async () => {
    const page = await open();
    await page.evaluate(`open("http://${elsewhere}:9/away"); 0`);
    await texts(`left our origin: http://${elsewhere}:9/away`);
    await page.evaluate(`open("${url}/opened"); 0`);
    await texts(`left our origin: http://${elsewhere}:9/tab`);
    await texts(`left our origin: ws://${elsewhere}:9/from-a-tab`);
  });

  it("detects a service worker, an error and a logged error, even in a tab", async () => {
    const page = await open();
    await page.evaluate('navigator.serviceWorker.register("/worker.js").then(() => 0)');
    await texts(`started a service worker: ${url}/worker.js`);
    await page.evaluate(`open("${url}/throws"); 0`);
    await texts("console: said");
    await texts("error in the page: thrown");
  });
});
