/** A browser's client of the API: a jar for its cookies, and the headers that browsers send. */

export type BrowserAnswer = {
  status: number;
  headers: Headers;
  body: Record<string, any>; // oxlint-disable-line no-explicit-any -- a test reads unknown JSON
};

type BrowserCall = Readonly<{ json?: unknown; headers?: Record<string, string> }>;

export type Browser = {
  /** `name=value` of the session cookie, while there is one. */
  cookie: string | undefined;
  /** `name=value` of the cookie that identifies the browser, after its first sign-in. */
  mark: string | undefined;
  /** The CSRF token of the session, while there is one. */
  csrfToken: string | undefined;
  /** Makes a call like a page of the platform: `POST /tickets`. */
  call(operation: string, call?: BrowserCall): Promise<BrowserAnswer>;
  /** Signs in, and keeps cookie and CSRF token on success. */
  signIn(login: string, password: string, embedded?: boolean): Promise<BrowserAnswer>;
};

/** A browser without a session. `url` is the server's, without `/api`. */
export function openBrowser(url: string): Browser {
  const keep = (header: string): void => {
    const [pair = ""] = header.split(";");
    if (/^(?:__Host-)?browser=/u.test(pair)) {
      browser.mark = pair;
    } else {
      browser.cookie = pair.endsWith("=") ? undefined : pair;
    }
  };
  const cookies = (): string =>
    [browser.cookie, browser.mark].filter((pair) => pair !== undefined).join("; ");
  const browser: Browser = {
    cookie: undefined,
    mark: undefined,
    csrfToken: undefined,
    call: async (operation, { json, headers = {} } = {}) => {
      const [method = "GET", path = ""] = operation.split(" ");
      const response = await fetch(`${url}/api${path}`, {
        method,
        headers: {
          "sec-fetch-site": "same-origin",
          ...(cookies() === "" ? {} : { cookie: cookies() }),
          ...(browser.csrfToken === undefined ? {} : { "x-csrf-token": browser.csrfToken }),
          ...(json === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      });
      response.headers.getSetCookie().forEach(keep);
      const text = await response.text();
      const body = (text === "" ? {} : JSON.parse(text)) as BrowserAnswer["body"];
      return { status: response.status, headers: response.headers, body };
    },
    signIn: async (login, password, embedded) => {
      const json = { login, password, ...(embedded === undefined ? {} : { embedded }) };
      const answer = await browser.call("POST /browser-session", { json });
      if (answer.status === 200) {
        browser.csrfToken = String(answer.body["csrf_token"]);
      }
      return answer;
    },
  };
  return browser;
}
