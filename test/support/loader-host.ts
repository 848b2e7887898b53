/**
 * A third-party site that loads the agent module: its backend signs the agent in, and its
 * Content-Security-Policy allows only the site itself and the platform.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { eventually } from "./eventually.ts";
import type { Login } from "./rest-client.ts";

export type LoaderSetup = Readonly<{
  useFrame?: boolean;
  params?: Record<string, unknown>;
  hasJQuery?: boolean;
  /** A script of the page that runs before the module is loaded. */
  before?: string;
  /** The CSP forbids all frames of the page; by default, its own origin may frame it. */
  isFrameless?: boolean;
  /** Replaces the user information from the backend. */
  userInfos?: Record<string, unknown>;
  /**
   * The module's scripts are in the head, followed by a script whose response waits for this
   * promise.
   */
  headUntil?: Promise<void>;
  /** The callback throws an error. */
  isBroken?: boolean;
  /** The page's CSP allows frames of the platform, so that calls run in a box. */
  hasCalls?: boolean;
}>;

export type Recorded = Readonly<{ type: string; params: unknown; count: number }>;

export type LoaderHost = Readonly<{
  /** `http://localhost:<port>`: the same site as the platform. */
  url: string;
  /** The same pages at `http://127.0.0.1:<port>`: another site. */
  foreignUrl: string;
  /** Opens a page that loads the module. */
  show(page: Page, setup?: LoaderSetup, from?: string): Promise<void>;
  close(): Promise<void>;
}>;

type Me = Readonly<{ userId: number; apiKey: string; nickname: string; token: string }>;

async function signIn(platform: string, { login, password }: Login): Promise<Me> {
  const issued = await fetch(`${platform}/api/token`, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "password", username: login, password }),
  });
  const { access_token } = (await issued.json()) as { access_token: string };
  const found = await fetch(`${platform}/api/v2/users/me`, {
    headers: { authorization: `Bearer ${access_token}` },
  });
  return (await found.json()) as Me;
}

/** Script for the page: records the arguments of the callback as plain data. */
const recorder = `
  window.records = [];
  window.record = (isBroken) => function (agent, type, params) {
    window.agent = agent;
    console.debug("callback " + type); // outlives the page
    const isJQuery = params && typeof params === "object" && "jquery" in params;
    window.records.push({
      type,
      params: isJQuery
        ? {
            isOfHost: window.jQuery !== undefined && params instanceof window.jQuery,
            version: params.jquery,
            length: params.length,
            is: params.is("div.im-box"),
            destId: params.data("dest-id"),
            isInPage: document.contains(params[0]),
          }
        : params,
      count: arguments.length,
    });
    if (isBroken) { throw new Error("the host's own fault"); }
  };
`;

function loading(platform: string, { userId, apiKey, nickname, token }: Me, setup: LoaderSetup) {
  const user = setup.userInfos ?? { id: userId, token, nickname };
  const root = platform.replace(/^http:/u, "");
  const input = [`${root}/`, apiKey, user].map((value) => JSON.stringify(value)).join(", ");
  const callback = `window.record(${String(setup.isBroken === true)})`;
  const rest = JSON.stringify(setup.params ?? {});
  return `${recorder}\nloadAgent(${input}, ${callback}, ${String(setup.useFrame === true)}, ${rest});`;
}

function scripts(platform: string): string {
  return `<script src="/before.js"></script>
  <script src="${platform}/loaderAgent.js"></script><script src="/load.js"></script>`;
}

function inHead(platform: string, { headUntil }: LoaderSetup): string {
  return headUntil === undefined ? "" : `${scripts(platform)}<script src="/late.js"></script>`;
}

function page(platform: string, setup: LoaderSetup, path: string): string {
  return `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>CRM ${path}</title>
  <meta name="viewport" content="width=device-width, initial-scale=1">
  ${setup.hasJQuery === true ? '<script src="/jquery.js"></script>' : ""}
  ${inHead(platform, setup)}
  </head>
  <body><main><h1>CRM ${path}</h1>
    <a href="/second">The second page</a> <a href="#here">A place</a>
    <a href="${platform}/readyz">Another site</a>
    <form action="/second"><label>Name <input name="name"></label><button name="go" value="1">Go</button></form>
    <form action="/first"><input type="hidden" name="action" value="save">
      <button formaction="/third">Elsewhere</button></form>
    <form method="dialog"><button>Nowhere</button></form>
  </main>
  ${setup.headUntil === undefined ? scripts(platform) : ""}</body>
</html>`;
}

function policyOf(platform: string, { isFrameless, hasCalls }: LoaderSetup): string {
  const { host } = new URL(platform);
  return [
    "default-src 'none'",
    `script-src 'self' ${platform}`,
    `style-src ${platform}`,
    `connect-src ${platform} ws://${host}`,
    `frame-src 'self'${hasCalls === true ? ` ${platform}` : ""}`,
    "form-action 'self'",
    "img-src data:",
    `frame-ancestors ${isFrameless === true ? "'none'" : "'self'"}`,
  ].join("; ");
}

type Site = { platform: string; me: Me; setup: LoaderSetup; jquery: string };

function answer(site: Site, request: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(request.url ?? "/", "http://host");
  const send = (type: string, body: string): void => {
    response.setHeader("Content-Type", `${type}; charset=utf-8`);
    response.setHeader("Content-Security-Policy", policyOf(site.platform, site.setup));
    response.end(body);
  };
  if (pathname === "/load.js") {
    send("text/javascript", loading(site.platform, site.me, site.setup));
  } else if (pathname === "/before.js") {
    send("text/javascript", site.setup.before ?? "");
  } else if (pathname === "/late.js") {
    void site.setup.headUntil?.then(() => send("text/javascript", ""));
  } else if (pathname === "/jquery.js") {
    send("text/javascript", site.jquery);
  } else if (pathname === "/favicon.ico") {
    response.writeHead(204).end();
  } else {
    send("text/html", page(site.platform, site.setup, pathname));
  }
}

export async function startLoaderHost(platform: string, login: Login): Promise<LoaderHost> {
  const file = createRequire(import.meta.url).resolve("jquery/dist/jquery.min.js");
  const jquery = await readFile(file, "utf8");
  const site: Site = { platform, me: await signIn(platform, login), setup: {}, jquery };
  const server = createServer((request, response) => answer(site, request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://localhost:${port}`;
  return {
    url,
    foreignUrl: `http://127.0.0.1:${port}`,
    show: async (shown, setup = {}, from = url) => {
      site.setup = setup;
      await shown.goto(`${from}/`);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

/** The callback's arguments so far. */
export function recordsOf(shown: Page): Promise<Recorded[]> {
  return shown.evaluate<Recorded[]>("window.records");
}

/** Waits for a callback. */
export function recordOf(shown: Page, type: string, at = 0): Promise<Recorded> {
  return eventually(
    async () => {
      const found = (await recordsOf(shown)).filter((record) => record.type === type)[at];
      if (found === undefined) {
        throw new Error(`no ${type} among ${JSON.stringify(await recordsOf(shown))}`);
      }
      return found;
    },
    { timeoutMs: 10_000 },
  );
}
