/**
 * Calls whose media must use a TURN server, as behind strict firewalls: over UDP, TCP and TLS.
 * Requires `turnserver` (Debian: coturn).
 */
import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { launchChromium } from "../../../bench/support/chromium.ts";
import { fakeCameras } from "../../support/browser.ts";
import { aVisit } from "../../support/call-customer.ts";
import { useInstallation } from "../../support/embedded-start.ts";
import { eventually } from "../../support/eventually.ts";
import { useProcesses } from "../../support/processes.ts";
import { loadCore, watchConnections } from "../../support/rooms-core.ts";
import {
  hasTurnServer,
  startTurnServer,
  turnSecret,
  type TurnServer,
} from "../../support/turn-server.ts";
import { agree, devices } from "../../support/visit-pages.ts";

const password = "Battery-staple-7";
const staff = { login: "agent@demo.example", password };

/** Type and protocol of the local candidate of the selected pair: `relay udp`. */
const usedCandidates = `(async () => {
  const found = [];
  for (const one of window.connections.filter((pc) => pc.connectionState === "connected")) {
    const stats = await one.getStats();
    stats.forEach((entry) => {
      if (entry.type === "candidate-pair" && entry.nominated && entry.state === "succeeded") {
        const local = stats.get(entry.localCandidateId);
        found.push(local.candidateType + " " + (local.relayProtocol ?? "-"));
      }
    });
  }
  return [...new Set(found)];
})()`;

describe("a call over a relay only", function () {
  this.timeout(180_000);
  const place = useInstallation(useProcesses());
  let turn: TurnServer;
  let chromium: Browser;

  before("start coturn and a browser", async () => {
    if (!(await hasTurnServer())) {
      throw new Error("This test needs turnserver: apt-get install coturn");
    }
    turn = await startTurnServer();
    chromium = await launchChromium([
      ...fakeCameras(),
      // Accepts the certificate of the test's TURN server.
      "--ignore-certificate-errors",
    ]);
  });

  after("stop them", async () => {
    await chromium.close();
    await turn.close();
  });

  const enterBoth = async (): Promise<Page[]> => {
    const rest = await place.installation.logIn(staff);
    const tokens = await aVisit(place.installation.url, { rest, agent: staff });
    return Promise.all([tokens.customer, tokens.staff].map(enter));
  };

  const enter = async (token: string): Promise<Page> => {
    const context = await chromium.newContext({ permissions: ["camera", "microphone"] });
    const page = await context.newPage();
    await page.addInitScript(watchConnections);
    const url = place.installation.url.replace("127.0.0.1", "localhost");
    await loadCore(page, { url, token, facing: "user" });
    await page.evaluate(`room.join()`);
    return page;
  };

  for (const transport of ["udp", "tcp", "tls"] as const) {
    it(`carries video both ways over ${transport}`, async () => {
      const running = await place.installation.start({
        AGENT_PASSWORD: password,
        BASE_URL: place.installation.url.replace("127.0.0.1", "localhost"),
        TURN_URLS: turn.urlOf(transport),
        TURN_SECRET: turnSecret,
        ICE_POLICY: "relay",
      });
      const pages = await enterBoth();
      for (const page of pages) {
        await eventually(
          async () => expect(await page.evaluate("window.framesDecoded()")).to.be.above(5),
          { timeoutMs: 40_000 },
        );
        expect(await page.evaluate(usedCandidates)).to.deep.equal([`relay ${transport}`]);
      }
      expect(turn.output()).to.match(/ALLOCATE processed, success/u);
      await Promise.all(pages.map((page) => page.context().close()));
      await running.kill();
    });
  }

  it("is detected by the check before a call", async () => {
    const running = await place.installation.start({
      AGENT_PASSWORD: password,
      BASE_URL: place.installation.url.replace("127.0.0.1", "localhost"),
      TURN_URLS: turn.urlOf("udp"),
      TURN_SECRET: turnSecret,
      ICE_POLICY: "relay",
    });
    const rest = await place.installation.logIn(staff);
    const body = { agent: staff.login, email: "jane@customer.example", invite: 1, language: "en" };
    const ticket = (await rest.succeed("POST /tickets", { body })).body;
    const context = await chromium.newContext(devices);
    const page = await context.newPage();
    await page.goto(String(ticket["requestor_url"]));
    await agree(page);
    await page.getByText("work, even behind firewalls").waitFor({ timeout: 20_000 });
    await context.close();
    await running.kill();
  });
});
