import { expect } from "chai";
import type { Locator } from "playwright-core";
import { admin, agent, useOwnPlatform } from "../support/browser-platform.ts";
import {
  findBarriers,
  seeFits,
  phone,
  screenshot,
  screenshots,
  useBrowser,
} from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { isNight } from "../support/night.ts";

type Kept = { messages: { to: string; text: string; subject: string | null }[] };

type Style = { color: string; fontWeight: string };

/** The relevant computed styles of the element. */
function styleOf(element: Locator): Promise<Style> {
  return element.evaluate((one) => {
    const page = globalThis as unknown as { getComputedStyle(of: unknown): Style };
    const { color, fontWeight } = page.getComputedStyle(one);
    return { color, fontWeight };
  });
}

describe("the company settings", () => {
  const platform = useOwnPlatform();
  const browser = useBrowser();

  const kept = async (to: string) => {
    const { messages } = (await (await fetch(`${platform.url}/mailbox/messages`)).json()) as Kept;
    return messages.find((message) => message.to === to);
  };

  it("create a service, with entry points, a survey and a new key", async () => {
    const page = await browser.open();
    await platform.signIn(page, admin, "/settings/services");
    await page.getByRole("link", { name: "New service" }).click();
    await page.getByLabel("Name").fill("Réclamations dégâts des eaux");
    await page.getByLabel("Ticket types").first().fill("water");
    await page.keyboard.press("Enter");
    await page.getByLabel("Reminder").fill("99999");
    await page.getByRole("button", { name: "Create service" }).click();
    await page.getByText("Enter 1 to 10,080.").waitFor();
    await page.getByLabel("Reminder").fill("60");
    await screenshots(page, "settings-service-new");
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole("button", { name: "Create service" }).click();
    await page.getByRole("heading", { name: "Réclamations dégâts des eaux" }).waitFor();

    const rest = await platform.rest(admin);
    const id = Number(new URL(page.url()).pathname.split("/").at(-1));
    const before = (await rest.succeed(`GET /services/${id}`)).body;
    expect(before).to.deep.include({ ticket_types: ["water"], reminder_minutes: 60 });
    await page
      .getByText(`/quick-invitation?service_key=${String(before["service_key"])}`)
      .waitFor();
    await page.getByLabel("New entry point").fill("Website, help page");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("The entry point Website, help page was added.").waitFor();
    await page.getByLabel("Question 1").fill("Were you helped?");
    await page.getByRole("button", { name: "Add a question" }).click();
    await page.getByRole("button", { name: "Save survey" }).click();
    await page.getByText("Required in at least one language.").waitFor();
    await page.getByLabel("Question 2", { exact: true }).fill("Would you do it again?");
    await page.getByRole("button", { name: "Save survey" }).click();
    await page.getByText("Saved").first().waitFor();
    await screenshots(page, "settings-service");
    expect(await findBarriers(page)).to.deep.equal([]);
    const survey = (await rest.succeed(`GET /services/${id}/survey`)).body;
    expect(
      (survey["questions"] as { label: { en: string } }[]).map(({ label }) => label.en),
    ).to.deep.equal([...["Were you helped?", "Would you do it again?"]]);

    await page.getByRole("button", { name: "Rotate key" }).click();
    const sure = page.getByRole("dialog");
    await sure.getByText("links and programs that use it stop working").waitFor();
    await sure.getByRole("button", { name: "Rotate key" }).click();
    await page.getByText("The key was rotated.").waitFor();
    const after = (await rest.succeed(`GET /services/${id}`)).body["service_key"];
    expect(after).not.to.equal(before["service_key"]);
    await page.getByText(String(after), { exact: true }).waitFor();
  });

  it("keep the last service of its kind, and say so", async () => {
    const page = await browser.open({ language: "fr" });
    await platform.signIn(page, admin, "/settings/services?kind=conference");
    await page.getByRole("row").nth(1).click();
    await page.getByRole("checkbox", { name: "Actif" }).uncheck();
    await page.getByRole("button", { name: "Enregistrer", exact: true }).click();
    await page.getByText("C’est le dernier service actif pour les réunions").waitFor();
    await screenshots(page, "settings-service-fr");
    expect(await findBarriers(page)).to.deep.equal([]);
  });

  it("edit a template with a preview, which the next invitation uses", async () => {
    const page = await browser.open();
    await platform.signIn(page, admin, "/settings/templates?channel=sms&language=en");
    const text = page.getByLabel("SMS text");
    await text.fill("Hello {{nobody}}");
    await page.getByText("{{nobody}} does not exist.").first().waitFor();
    await page.getByText("Cannot be sent as it is").waitFor();
    await text.fill("Hello ");
    await page.getByText("The variable link is missing").first().waitFor();
    await page.getByRole("button", { name: /^Insert firstname:/u }).click();
    await page.keyboard.type(", Demo waits: ");
    await page.getByRole("button", { name: /^Insert link:/u }).click();
    expect(await text.inputValue()).to.equal("Hello {{firstname}}, Demo waits: {{link}}");
    await page.getByText("Hello Camille, Demo waits: https://").waitFor();
    await page.getByText("1 SMS", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved. New messages use this text.").waitFor();
    await page.getByText("Custom text").waitFor();
    await page.getByText("Platform text").waitFor();
    await page.getByText(/^\{\{enterprise\}\}: open this link/u).waitFor();
    await screenshots(page, "settings-template-sms");
    expect(await findBarriers(page)).to.deep.equal([]);

    const rest = await platform.rest(agent);
    const customer = { firstname: "Ada", phone: "+33612345601", language: "en" };
    await rest.succeed("POST /tickets", {
      body: { agent: agent.login, ...customer, invite: true },
    });
    await eventually(async () => {
      expect((await kept("+33612345601"))?.text).to.match(/^Hello Ada, Demo waits: http/u);
    });

    await page.getByRole("button", { name: "Reset to default" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Reset to default" }).click();
    await page.getByText("Platform default").waitFor();
    await eventually(async () =>
      (await text.inputValue()).includes("{{enterprise}}: open this link"),
    );
  });

  it("keep typed text while a template is saved for the first time", async () => {
    const page = await browser.open();
    await platform.signIn(page, admin, "/settings/templates?channel=sms&language=de");
    const text = page.getByLabel("SMS text");
    await text.fill("Hallo {{link}}");
    let saveTyped = (): void => {};
    const isTyped = new Promise<void>((resolve) => {
      saveTyped = resolve;
    });
    await page.route("**/api/enterprises/*/templates", async (route) => {
      if (route.request().method() === "PUT") {
        await isTyped;
      }
      await route.continue();
    });
    await page.getByRole("button", { name: "Save" }).click();
    await text.focus();
    await page.keyboard.press("End");
    await page.keyboard.type(" und");
    saveTyped();
    await page.keyboard.type(" bis gleich");
    await page.getByText("Saved. New messages use this text.").waitFor();
    await page.getByText("Custom text").waitFor();
    expect(await text.inputValue()).to.equal("Hallo {{link}} und bis gleich");
    await page.getByRole("button", { name: "Discard changes" }).click();
    expect(await text.inputValue()).to.equal("Hallo {{link}}");
    await page.getByRole("button", { name: "Reset to default" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Reset to default" }).click();
    await page.getByText("Platform default").waitFor();
    await eventually(async () => !(await text.inputValue()).includes("Hallo {{link}}"));
  });

  it("show an email as its recipient sees it, sandboxed and without external requests", async () => {
    // The browser reports that it blocked the mail's scripts and images.
    const refused = /inline event handler|inline script|Loading the image/u;
    const page = await browser.open({ expectedErrors: [refused] });
    const asked: string[] = [];
    page.on("response", (answer) => asked.push(answer.url()));
    await platform.signIn(page, admin, "/settings/templates?service=1&kind=ticket&channel=email");
    const mail = page.frameLocator("iframe[title='As most email clients show it']");
    await mail.getByText("Start the video").waitFor();
    expect((await styleOf(mail.getByText("Start the video"))).color).to.equal("rgb(255, 255, 255)");
    await screenshots(page, "settings-template-mail");
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByLabel("Write the HTML yourself").check();
    await page
      .getByLabel("HTML", { exact: true })
      .fill(
        '<style>p { color: rgb(1, 2, 3) }</style><p onclick="x()">For {{firstname}}</p>' +
          '<script>top.wasRun = true</script><img src="https://tracker.example/a.png">' +
          '<svg><image xlink:href="/i/seen" href="/i/seen"></image></svg>' +
          '<b style="background: url(/i/seen)">x</b><style>i { background: url(/i/seen) }</style>' +
          '<i>y</i><a href="{{link}}" style="font-weight: 700">Go</a>',
      );
    await mail.getByText("For Camille").waitFor();
    expect((await styleOf(mail.getByText("For Camille"))).color).to.equal("rgb(1, 2, 3)");
    expect((await styleOf(mail.getByText("Go"))).fontWeight).to.equal("700");
    expect(await page.evaluate("window.wasRun")).to.equal(undefined);
    expect(asked.filter((url) => url.includes("seen"))).to.deep.equal([]);
    await page.getByRole("link", { name: "SMS" }).first().click();
    await page.getByRole("dialog").getByRole("button").first().waitFor(); // unsaved changes
  });

  it("allow a domain, and reject an invalid one", async () => {
    const page = await browser.open({ colors: "dark" });
    await platform.signIn(page, admin, "/settings/domains");
    await page.getByLabel("Domain", { exact: true }).fill("not a domain");
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByText("This host name cannot be allowed. Enter another one.").waitFor();
    await page.getByLabel("Domain", { exact: true }).fill("crm.example.com");
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByText("crm.example.com can now embed our pages.").waitFor();
    await screenshots(page, "settings-domains-dark");
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No domains allowed yet").waitFor();
  });

  if (isNight) {
    it("are complete in French on a phone, page by page", async () => {
      const page = await browser.open({ viewport: phone, language: "fr" });
      await page.goto(`${platform.url}/password#token=x`);
      await page.getByRole("heading", { name: "Choisir un mot de passe" }).waitFor();
      await seeFits(page, "password");
      expect(await findBarriers(page), "password").to.deep.equal([]);
      await platform.signIn(page, admin, "/settings/company");
      for (const [place, heading] of [
        ["settings/company", "Entreprise"],
        ["settings/profile", "Profil"],
        ["settings/tokens", "Jetons d’API"],
        ["settings/users", "Utilisateurs"],
        ["settings/groups", "Groupes"],
        ["settings/services", "Services"],
        ["settings/services/1", ""],
        ["settings/templates", "Modèles"],
        ["settings/domains", "Domaines"],
        ["settings/audit", "Journal d’audit"],
        ["search", "Recherche"],
        ["search?q=4711", "Recherche de «\u00a04711\u00a0»"],
      ] as const) {
        await page.goto(`${platform.url}/${place}`);
        await page
          .getByRole("heading", { level: 1, name: heading, exact: heading !== "" })
          .waitFor();
        await page.waitForLoadState("networkidle");
        await seeFits(page, place);
        expect(await findBarriers(page), place).to.deep.equal([]);
        await screenshot(page, `fr-${place.replaceAll(/\W+/gu, "-")}`);
      }
      await page.goto(`${platform.url}/settings/company`);
      await page.getByText("Clé de l’entreprise").waitFor();
      await screenshots(page, "settings-company-fr");
    });
  }

  it("create a ticket in French on a desktop", async () => {
    const page = await browser.open({ language: "fr" });
    await platform.signIn(page, agent, "/tickets");
    await page.getByRole("link", { name: "Inviter un client" }).first().click();
    await page.getByRole("heading", { name: "Inviter un client" }).waitFor();
    await page.getByRole("button", { name: "Envoyer l’invitation" }).click();
    await page.locator("[aria-invalid=true]").first().waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await screenshots(page, "ticket-new-fr");
    await page.getByLabel("Téléphone ou e-mail du client").fill("claire@customer.example");
    await page.getByRole("button", { name: "Envoyer l’invitation" }).click();
    await page.waitForURL(/\/tickets\/\d+$/u);
    await page.getByRole("list", { name: "Historique" }).getByText("invitation").waitFor();
    await seeFits(page);
    expect(await findBarriers(page)).to.deep.equal([]);
  });
});
