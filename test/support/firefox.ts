/**
 * A Firefox of this machine, driven by WebDriver BiDi. Playwright drives only builds of Firefox that
 * are newer than those of Linux distributions, or its own.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEnvironment } from "../../src/config/environment.ts";
import { connectBidi, type Bidi } from "./bidi.ts";
import { expectNoFaults } from "./browser.ts";
import { eventually } from "./eventually.ts";
import { insideDescribe } from "./scope.ts";

export type FirefoxPage = {
  goto(url: string): Promise<void>;
  /** The value of a JavaScript expression, or what its promise resolves to; must be JSON. */
  evaluate<T>(expression: string): Promise<T>;
  /** Waits until the text is on the page. */
  seeText(text: string): Promise<void>;
  /** Waits for an element that nothing covers, and clicks in its middle. */
  click(selector: string): Promise<void>;
  /** Clicks the button with this name. */
  press(name: string): Promise<void>;
  /** Types into the element that has the focus. */
  type(text: string): Promise<void>;
};

export type Firefox = {
  /** A page without cookies and storage of others, which is closed after the test. */
  open(): Promise<FirefoxPage>;
};

const paths = ["/usr/bin/firefox-esr", "/usr/bin/firefox"];

/** The Firefox of FIREFOX_PATH, else the system's. */
function findFirefox(): string {
  const input = readEnvironment()["FIREFOX_PATH"] ?? "";
  const found = [input, ...paths].find((path) => path !== "" && existsSync(path));
  if (found === undefined || (input !== "" && found !== input)) {
    throw new Error("This test needs Firefox: apt-get install firefox-esr, or set FIREFOX_PATH");
  }
  return found;
}

/** A camera and a microphone that need no device and no permission; calls on one machine. */
const settings = {
  "media.navigator.streams.fake": true,
  "media.navigator.permission.disabled": true,
  "media.peerconnection.ice.loopback": true,
  "media.peerconnection.ice.obfuscate_host_addresses": false,
  "media.autoplay.default": 0,
  "ui.prefersReducedMotion": 1,
  "app.normandy.enabled": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "services.settings.server": "data:,#remote-settings-dummy/v1",
};

type Started = Readonly<{ bidi: Bidi; stop(): Promise<void> }>;

/** Starts Firefox with a new profile. Leaves nothing behind if that fails. */
async function startFirefox(onFault: (text: string) => void): Promise<Started> {
  const executable = findFirefox();
  const profile = await mkdtemp(join(tmpdir(), "sightline-firefox-"));
  const lines = Object.entries(settings).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  await writeFile(join(profile, "user.js"), lines.join("\n"));
  const child = spawn(
    executable,
    ["--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", profile],
    { env: { ...readEnvironment(), HOME: profile }, stdio: ["ignore", "ignore", "pipe"] },
  );
  const ended = once(child, "close").catch(() => undefined);
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
    await rm(profile, { recursive: true, force: true, maxRetries: 10 });
  };
  try {
    const bidi = await connectBidi(await addressIn(child.stderr), (method, entry) => {
      if (method === "log.entryAdded" && entry.level === "error" && entry.type === "javascript") {
        onFault(entry.text);
      }
    });
    await bidi.send("session.new", { capabilities: {} });
    await bidi.send("session.subscribe", { events: ["log.entryAdded"] });
    return { bidi, stop };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

/** The address of the session, from Firefox' output. */
function addressIn(stderr: NodeJS.ReadableStream): Promise<string> {
  let output = "";
  stderr.on("data", (data: Buffer) => (output += data.toString()));
  return eventually(
    () => {
      const [, found] = /listening on (ws:\/\/\S+)/u.exec(output) ?? [];
      if (found === undefined) {
        throw new Error(`Firefox does not listen:\n${output}`);
      }
      return `${found}/session`;
    },
    { timeoutMs: 30_000 },
  );
}

/**
 * A Firefox for the tests of the surrounding `describe`. An error of a script, or a violation of the
 * Content-Security-Policy, fails the test.
 */
export function useFirefox(): Firefox {
  let started: Started | undefined;
  let contexts: string[] = [];
  let faults: string[] = [];

  before("start Firefox", async function () {
    insideDescribe(this, "useFirefox");
    started = await startFirefox((text) => faults.push(text));
  });

  afterEach("close the pages", async () => {
    const [opened, seen] = [contexts, faults];
    contexts = [];
    faults = [];
    for (const userContext of opened) {
      await started?.bidi.send("browser.removeUserContext", { userContext });
    }
    expectNoFaults(seen);
  });

  after("stop Firefox", async () => {
    started?.bidi.close();
    await started?.stop();
  });

  return {
    open: async () => {
      if (started === undefined) {
        throw new Error("Firefox starts in a before hook");
      }
      const { bidi } = started;
      const userContext = String((await bidi.send("browser.createUserContext", {}))["userContext"]);
      contexts.push(userContext);
      const made = await bidi.send("browsingContext.create", { type: "tab", userContext });
      return pageOf(bidi, String(made["context"]));
    },
  };
}

/** The middle of the first element that a click would reach, in pixels of the viewport; or null. */
const pointOf = (elements: string): string => `(() => {
  for (const one of [...${elements}].filter((each) => !each.disabled)) {
    one.scrollIntoView({ block: "center" });
    const { left, top, width, height } = one.getBoundingClientRect();
    const [x, y] = [Math.round(left + width / 2), Math.round(top + height / 2)];
    if (one.contains(document.elementFromPoint(x, y))) return { x, y };
  }
  return null;
})()`;

function pageOf(bidi: Bidi, context: string): FirefoxPage {
  const evaluate = async <T>(expression: string): Promise<T> => {
    const answer = await bidi.send("script.evaluate", {
      expression: `(async () => JSON.stringify((await (${expression})) ?? null))()`,
      target: { context },
      awaitPromise: true,
      userActivation: true,
    });
    if (answer["type"] !== "success") {
      throw new Error(`${JSON.stringify(answer["exceptionDetails"])}\nin ${expression}`);
    }
    return JSON.parse((answer["result"] as { value: string }).value) as T;
  };
  const act = (source: object): Promise<unknown> =>
    bidi.send("input.performActions", { context, actions: [source] });
  const clickFirst = async (elements: string): Promise<void> => {
    const { x, y } = await eventually(
      async () => {
        const point = await evaluate<{ x: number; y: number } | null>(pointOf(elements));
        if (point === null) {
          throw new Error(`Nothing to click: ${elements}`);
        }
        return point;
      },
      { timeoutMs: 20_000 },
    );
    const move = { type: "pointerMove", x, y };
    const [down, up] = ["pointerDown", "pointerUp"].map((type) => ({ type, button: 0 }));
    await act({ id: "mouse", type: "pointer", actions: [move, down, up] });
  };
  return {
    evaluate,
    goto: async (url) => {
      await bidi.send("browsingContext.navigate", { context, url, wait: "complete" });
    },
    seeText: (text) =>
      eventually(
        async () => {
          const shown = await evaluate<string>("document.body.innerText");
          if (!shown.includes(text)) {
            throw new Error(`"${text}" is not in:\n${shown}`);
          }
        },
        { timeoutMs: 20_000 },
      ),
    click: (selector) => clickFirst(`document.querySelectorAll(${JSON.stringify(selector)})`),
    press: (name) =>
      clickFirst(`[...document.querySelectorAll("button")].filter((one) =>
        (one.getAttribute("aria-label") ?? one.innerText).trim() === ${JSON.stringify(name)})`),
    type: async (text) => {
      const keys = [...text].flatMap((value) =>
        ["keyDown", "keyUp"].map((type) => ({ type, value })),
      );
      await act({ id: "keyboard", type: "key", actions: keys });
    },
  };
}
