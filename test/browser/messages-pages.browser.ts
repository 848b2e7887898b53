import { expect } from "chai";
import { admin, agent, useBrowserPlatform } from "../support/browser-platform.ts";
import { findBarriers, seeFits, phone, screenshots, useBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import type { RestClient } from "../support/rest-client.ts";

const html =
  '<style>p { color: red }</style><p style="color: blue">Bonjour <b>Amélie</b></p>' +
  '<img src="https://tracker.example/x.png"><script>parent.document.title = "caught"</script>' +
  '<a href="javascript:alert(1)" onclick="alert(1)">here</a>';

describe("the messages pages", () => {
  const platform = useBrowserPlatform();
  const browser = useBrowser();
  let rest: RestClient;

  before("send messages", async () => {
    rest = await platform.rest(admin);
    for (let nth = 10; nth < 40; nth += 1) {
      await rest.succeed("POST /sms", {
        body: {
          to: `+336123456${nth}`,
          text: `Votre technicien passe demain entre 10 h et 12 h, intervention n° ${nth}.`,
        },
      });
    }
    const body = { to: "amelie@example.com", subject: "Votre rendez-vous", text: "Bonjour", html };
    await rest.succeed("POST /emails", { body });
    await platform
      .db("messages")
      .where({ recipient: "+33612345611" })
      .update({ status: "failed", error: "opted_out", sent_at: null });
  });

  it("list SMS by status and number, and say why one was not sent", async () => {
    const page = await browser.open();
    await platform.signIn(page, admin, "/messages");
    await page.getByText("30 messages").waitFor();
    await screenshots(page, "messages-list");
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole("button", { name: "Status", exact: true }).click();
    await page.getByRole("checkbox", { name: "Failed" }).check();
    await page.keyboard.press("Escape");
    await page.getByText("1 message", { exact: true }).waitFor();
    await page.getByRole("row", { name: /\+33612345611/u }).click();
    const panel = page.getByRole("dialog");
    await panel.getByText("by replying STOP").waitFor();
    expect(page.url())
      .to.match(/status=failed/u)
      .and.match(/message=\d+/u);
    await screenshots(page, "messages-failed");
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    await page.getByRole("searchbox", { name: "To" }).fill("+33612345612");
    await page.getByText("No messages match").waitFor();
  });

  it("show an email as its recipient sees it, sandboxed and without external requests", async () => {
    const page = await browser.open();
    await platform.signIn(page, admin, "/messages?channel=email&to=amelie@example.com");
    await page.getByRole("row", { name: /amelie@example.com/u }).click();
    await page.getByRole("heading", { name: "Votre rendez-vous" }).waitFor();
    await page.getByText("Formatted").click();
    const mail = page.frameLocator('iframe[title="Formatted"]');
    await mail.getByText("Amélie").waitFor();
    const inside = await mail.locator("html").innerHTML();
    expect(inside).not.to.match(/script|onclick|javascript:|tracker|style/u);
    expect(await page.title()).to.contain("Sightline");
    await screenshots(page, "messages-mail");
  });

  it("send an SMS, count its segments while typing, and follow it until it is sent", async () => {
    const page = await browser.open();
    await platform.signIn(page, admin, "/messages");
    await page.getByRole("button", { name: "Send an SMS" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "To" }).fill("0612");
    await dialog.getByRole("textbox", { name: "Text" }).fill("ç".repeat(71));
    await dialog.getByText("2 SMS, 71 of 134 characters.").waitFor();
    await dialog.getByRole("textbox", { name: "Text" }).fill("Be there at ten");
    await dialog.getByText("1 SMS, 15 of 160 characters.").waitFor();
    await dialog.getByRole("button", { name: "Send" }).click();
    await dialog.getByText("Enter a phone number with its country code").first().waitFor();
    await dialog.getByRole("textbox", { name: "To" }).fill("+33699887766");
    await dialog.getByRole("button", { name: "Send" }).click();
    await page.getByText("Accepted by the provider").waitFor();
    const { body } = await rest.succeed("GET /sms?to=%2B33699887766");
    expect(body["total"]).to.equal(1);
    await eventually(async () => {
      const [row] = (await rest.succeed("GET /sms?to=%2B33699887766")).body["data"] as {
        status: string;
      }[];
      return row?.status === "sent";
    });
  });

  it("send an email by keyboard only", async () => {
    const page = await browser.open();
    await platform.signIn(page, admin, "/messages?channel=email");
    await page.getByRole("button", { name: "Send an email" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByRole("textbox", { name: "Subject" }).waitFor();
    await eventually(async () =>
      page.evaluate<boolean>(`document.activeElement.matches("[data-autofocus]")`),
    );
    await page.keyboard.type("jane@example.com");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Your visit");
    await page.keyboard.press("Tab");
    await page.keyboard.type("The technician comes at ten.");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Your visit" }).waitFor();
    const { body } = await rest.succeed("GET /emails?to=jane@example.com");
    expect(body["total"]).to.equal(1);
  });

  it("are translated to French, fit on a phone in dark mode, and are hidden without permission", async () => {
    const page = await browser.open({ language: "fr", viewport: phone, colors: "dark" });
    await platform.signIn(page, admin, "/messages");
    await page.getByText("Envoyé", { exact: true }).first().waitFor();
    await seeFits(page);
    await screenshots(page, "messages-fr-dark");
    await page.setViewportSize({ width: 320, height: 640 });
    await seeFits(page);
    expect(await findBarriers(page)).to.deep.equal([]);
    const other = await browser.open();
    await platform.signIn(other, agent);
    await other.getByRole("link", { name: "Meetings" }).waitFor();
    expect(await other.getByRole("link", { name: "Messages" }).count()).to.equal(0);
  });
});
