import type { Page } from "playwright-core";
import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { agent, useBrowserPlatform } from "../support/browser-platform.ts";
import {
  findBarriers,
  phone,
  screenshot,
  screenshots,
  seeFits,
  useBrowser,
} from "../support/browser.ts";
import { staffToken } from "../support/call-customer.ts";
import { openCore } from "../support/rooms-core.ts";
import { press, seeHeading } from "../support/screens.ts";
import { devices } from "../support/visit-pages.ts";

const small = { width: 320, height: 640 };

describe("the languages of the customer's page", function () {
  this.timeout(90_000);
  const platform = useBrowserPlatform();
  const browser = useBrowser();

  const aTicket = async (language: string): Promise<Record<string, unknown>> => {
    const rest = await platform.rest(agent);
    const body = { agent: agent.login, email: "jane@customer.example", invite: 1, language };
    return (await rest.succeed("POST /tickets", { body })).body;
  };
  const languageOf = (page: Page) => page.evaluate("document.documentElement.lang");

  it("include French and others on demand, without overflow at 320 pixels in dark mode", async () => {
    const ticket = await aTicket("fr");
    const page = await browser.open({ viewport: small, colors: "dark", context: devices });
    const loaded = new Set<string>();
    page.on("request", (request) => {
      const [, language] = /\/assets\/(de|en|es|fr|it|nl|pt)-[^/]+\.js$/u.exec(request.url()) ?? [];
      if (language !== undefined) {
        loaded.add(language);
      }
    });
    await page.goto(String(ticket["requestor_url"]));
    await seeHeading(page, "Demo Agent vous invite à un appel vidéo");
    expect(await languageOf(page)).to.equal("fr");
    expect([...loaded], "of the browser, then of the invitation").to.deep.equal(["en", "fr"]);
    await seeFits(page);
    expect(await findBarriers(page)).to.deep.equal([]);
    await press(page, "Commencer");
    await seeHeading(page, "Votre accord");
    await seeFits(page);
    await page.getByLabel("J’accepte les conditions d’utilisation").check();
    await page.getByLabel("J’ai lu la notice de confidentialité").check();
    await screenshots(page, "visit-consent-dark-fr");
    await page.setViewportSize(small);
    await press(page, "Accepter et continuer");
    await seeHeading(page, "Tout est prêt");
    await seeFits(page);
    expect(await findBarriers(page)).to.deep.equal([]);
    await screenshots(page, "visit-devices-dark-fr");
    await page.evaluate("sessionStorage.clear()");
    await page.reload();
    await page.getByLabel("Langue").selectOption("en");
    await seeHeading(page, "Demo Agent invites you to a video call");
    expect(await page.getByLabel("Language").locator("option").allTextContents()).to.deep.equal([
      ...["Deutsch", "English", "Español", "Français", "Italiano", "Nederlands", "Português"],
    ]);
    await page.getByLabel("Language").selectOption("nl");
    await seeHeading(page, "Demo Agent nodigt u uit voor een videogesprek");
    expect(await languageOf(page)).to.equal("nl");
    expect([...loaded], "only what was chosen").to.deep.equal(["en", "fr", "nl"]);
    await seeFits(page);
  });

  it("include French in the room, on a phone in dark mode", async () => {
    const ticket = await aTicket("fr");
    const page = await browser.open({ viewport: phone, colors: "dark", context: devices });
    await page.goto(String(ticket["requestor_url"]));
    const seeWhole = async (name: string): Promise<void> => {
      await seeFits(page, name);
      expect(await findBarriers(page), name).to.deep.equal([]);
      await screenshot(page, `visit-${name}-dark-fr`);
    };
    await press(page, "Commencer");
    await page.getByLabel("J’accepte les conditions d’utilisation").check();
    await page.getByLabel("J’ai lu la notice de confidentialité").check();
    await press(page, "Accepter et continuer");
    await press(page, "Entrer dans l’appel");
    await seeHeading(page, "Demo Agent arrive dans un instant");
    await seeWhole("room-waiting");
    const token = await staffToken(await platform.rest(agent), Number(ticket["id"]));
    const agentPage = await openCore(browser, { url: platform.url, token, facing: "user" });
    await agentPage.evaluate("room.join()");
    await seeHeading(page, "Demo Agent est avec vous");
    await page.getByLabel("Vidéo de Demo Agent").waitFor();
    await seeWhole("room-video");
  });

  it("include German for a German invitation, including its help texts", async () => {
    const ticket = await aTicket("de");
    const page = await browser.open({ viewport: small, context: devices });
    await page.goto(String(ticket["requestor_url"]));
    const seeWhole = async (name: string): Promise<void> => {
      await seeFits(page, name);
      expect(await findBarriers(page), name).to.deep.equal([]);
      await screenshot(page, `visit-${name}-de-small`);
    };
    await seeHeading(page, "Demo Agent lädt Sie zu einem Videoanruf ein");
    expect(await languageOf(page)).to.equal("de");
    await seeWhole("welcome");
    await press(page, "Starten");
    await seeHeading(page, "Ihre Zustimmung");
    await page.getByLabel("Ich akzeptiere die Nutzungsbedingungen").check();
    await page.getByLabel("Ich habe die Datenschutzhinweise gelesen").check();
    await seeWhole("consent");
    await press(page, "Zustimmen und weiter");
    await seeHeading(page, "Alles ist bereit");
    await seeWhole("devices");
    const consents = await rowsOf(
      platform.db,
      "SELECT language FROM consents WHERE ticket_id = ?",
      [ticket["id"]],
    );
    expect(consents).to.deep.equal([{ language: "de" }]);
    await page.addInitScript(`navigator.mediaDevices.getUserMedia = async () => {
      throw new DOMException("refused", "NotAllowedError");
    };`);
    await page.reload();
    await seeHeading(page, "Kamera und Mikrofon sind blockiert");
    await page.getByText("Klicken Sie oben auf das Symbol links neben der Adresse.").waitFor();
    await seeWhole("refused");
  });
});
