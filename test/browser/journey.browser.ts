import { expect } from "chai";
import type { Page } from "playwright-core";
import { admin } from "../support/browser-platform.ts";
import {
  findBarriers,
  seeFits,
  phone,
  screenshot,
  screenshots,
  type OpenOptions,
} from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { isLive, liveView } from "../support/live-view.ts";
import { isSignedWith } from "../support/signatures.ts";
import { secretShape, useWebhooksFixture } from "../support/webhooks-fixture.ts";
import { logRows, openDelivery } from "./deliveries-fixture.ts";
import {
  activate,
  createTicket,
  explain,
  makeWebhook,
  nextRequest,
  openDead,
  replayAll,
  rotate,
  seeWhy,
  sendElsewhere,
  slow,
} from "./journey-steps.ts";
import { french } from "./journey-words.ts";
import { place, press, tabTo, write } from "./keyboard.ts";
import { isNight } from "../support/night.ts";

/** For each secret, whether it verifies the request, as a receiver checks it. */
function signersOf(secrets: readonly string[], request: Parameters<typeof isSignedWith>[1]) {
  return secrets.map((secret) => isSignedWith(secret, request));
}

describe("the journey from an empty account to a connected system", function () {
  this.timeout(300_000); // many steps, on machines that may be busy
  const { platform, browser, incoming } = useWebhooksFixture();

  const start = async (options: OpenOptions = {}): Promise<Page> => {
    const page = await browser.open(options);
    await platform.signInByForm(page, admin);
    return page;
  };

  it("creates a webhook, receives a delivery, explains a failure, replays, and rotates the secret", async () => {
    const { receiver } = incoming;
    const page = await start();
    const secret = await makeWebhook(page, { name: "CRM", url: platform.inboxUrl });
    await activate(page, "CRM");

    const [inbox, live] = [await browser.openBeside(page), await browser.openBeside(page)];
    await inbox.goto(platform.inboxUrl);
    await inbox.getByText("Live", { exact: true }).waitFor();
    await live.goto(`${platform.url}${liveView}`);
    await isLive(live);
    const first = await createTicket(page);
    // The demo's webhook uses the same inbox, so this one is identified by its custom header.
    const arrived = inbox.getByRole("link", { name: /ticket\.create/u });
    await eventually(async () => (await arrived.count()) === 2, slow);
    const attempts = live.getByRole("region", { name: "Latest attempts" });
    await attempts.getByRole("link").filter({ hasText: "CRM" }).first().waitFor();
    await eventually(async () => {
      for (const at of [0, 1]) {
        await arrived.nth(at).click();
        await inbox.locator("[aria-current]").and(arrived.nth(at)).waitFor();
        if ((await inbox.getByText(/^x-team$/iu).count()) > 0) {
          return true;
        }
      }
      return false;
    }, slow);
    await inbox.getByText("Verified", { exact: true }).first().waitFor();
    await inbox.getByText(String(first)).first().waitFor();

    receiver.answerWith([{ status: 500, body: '{"error":"no room left on /var"}' }]);
    await sendElsewhere(page, "CRM", receiver.url);
    const failed = [await createTicket(page), await createTicket(page), await createTicket(page)];
    await live
      .getByRole("row")
      .filter({ hasText: "CRM" })
      .getByText(/Failing|Unreachable/u)
      .waitFor();
    await screenshots(live, "journey-live");
    await seeWhy(page, failed[1] ?? 0);
    await explain(page, failed[1] ?? 0);

    receiver.answerWith([200]);
    receiver.clear();
    await replayAll(page, "CRM", 3);
    expect(receiver.requests.map((request) => request.json()["objectId"])).to.have.members(failed);
    for (const request of receiver.requests) {
      expect(isSignedWith(secret, request)).to.equal(true);
      expect(request.headers["x-team"]).to.equal("green");
    }

    const second = await rotate(page, "CRM");
    await page.getByText("Expires").waitFor();
    const both = await nextRequest(receiver, () => createTicket(page));
    expect(signersOf([secret, second], both)).to.deep.equal([true, true]);
    const third = await rotate(page, "CRM", { overlap: "none" });
    const one = await nextRequest(receiver, () => createTicket(page));
    expect(signersOf([secret, second, third], one)).to.deep.equal([false, false, true]);
  });

  if (isNight) {
    it("works in French on a phone, without truncated text", async () => {
      const { receiver } = incoming;
      receiver.answerWith([{ status: 500, body: '{"error":"no room left on /var"}' }]);
      const page = await start({ language: "fr", viewport: phone });
      const isValid = async (what: string): Promise<void> => {
        expect(await page.evaluate("document.documentElement.lang"), what).to.equal("fr");
        await seeFits(page, what); // after the menu has slid out
        expect(await findBarriers(page), what).to.deep.equal([]);
      };
      const secret = await makeWebhook(page, { name: "CRM", url: receiver.url }, french);
      await isValid("the webhook");
      await activate(page, "CRM", french);
      await isValid("the list of webhooks");
      const ticketId = await createTicket(page, french);
      await isValid("the ticket");
      await receiver.sees(1, slow);
      await seeWhy(page, ticketId, french);
      await isValid("the log");
      receiver.answerWith([200]);
      receiver.clear();
      const timeline = await openDead(page, ticketId, french);
      await timeline.getByRole("button", { name: "Renvoyer cette livraison" }).click();
      await timeline.getByText("Livrée à CRM dès la première tentative.").waitFor();
      await isValid("the delivery");
      await screenshot(page, "journey-fr");
      expect(isSignedWith(secret, receiver.requests[0]!)).to.equal(true);
      await page.keyboard.press("Escape");
      await timeline.waitFor({ state: "detached" });
      const second = await rotate(page, "CRM", { words: french });
      await page.getByText(/^Expire /u).waitFor();
      await isValid("the rotated secret");
      const both = await nextRequest(receiver, () => createTicket(page, french));
      expect(signersOf([secret, second], both)).to.deep.equal([true, true]);
    });
  }

  if (isNight) {
    describe("the same journey by keyboard", () => {
      const takeByKey = async (page: Page): Promise<string> => {
        const shown = page.getByText(secretShape);
        await shown.waitFor();
        const secret = (await shown.textContent()) ?? "";
        await press(page, page.getByRole("button", { name: "I’ve saved it" }));
        await shown.waitFor({ state: "detached" });
        return secret;
      };

      it("creates a webhook, invites a customer, replays a failure, and rotates the secret", async () => {
        const { receiver } = incoming;
        receiver.answerWith([500]);
        const page = await browser.open();
        await page.goto(`${platform.url}/tickets`);
        await write(page, "Login", admin.login);
        await tabTo(page, page.getByLabel("Password", { exact: true }));
        await page.keyboard.type(admin.password);
        await page.keyboard.press("Enter");

        await press(page, place(page, "Webhooks"));
        await press(page, page.getByRole("link", { name: "New webhook" }));
        await write(page, "Name", "CRM");
        await write(page, "URL", receiver.url);
        await press(page, page.getByRole("button", { name: "Parts of: Tickets" }));
        await press(page, page.getByRole("checkbox", { name: /^A ticket was created/u }), "Space");
        await press(page, page.getByRole("button", { name: "Retries" }));
        await tabTo(page, page.getByRole("radio", { name: "Default" }));
        await page.keyboard.press("ArrowRight");
        const waits = page.getByRole("textbox", { name: "Delays between attempts" });
        await tabTo(page, waits);
        await page.keyboard.press("ControlOrMeta+a");
        await page.keyboard.press("Delete");
        await page.getByText("One attempt, then the delivery fails.").waitFor();
        await press(page, page.getByRole("button", { name: "Create webhook" }));
        const secret = await takeByKey(page);
        await press(page, page.getByRole("switch", { name: "Enable CRM" }), "Space");
        await page.getByText("Enabled", { exact: true }).first().waitFor();

        await press(page, place(page, "Tickets"));
        await page.getByRole("heading", { name: "Tickets", level: 1 }).waitFor();
        await page.keyboard.press("n");
        await page.getByLabel("Customer’s phone or email").waitFor();
        const agentField = page.getByRole("combobox", { name: "Agent" });
        await eventually(async () => (await agentField.inputValue()) !== "", slow);
        await page.keyboard.type("jane@customer.example");
        await page.keyboard.press("Enter");
        await page.waitForURL(/\/tickets\/\d+$/u);
        await receiver.sees(1, slow);

        receiver.answerWith([200]);
        receiver.clear();
        await press(page, place(page, "Deliveries"));
        await press(page, page.getByRole("link", { name: "Log", exact: true }));
        await press(page, page.getByRole("button", { name: "Only failures" }));
        await logRows(page).first().waitFor();
        await page.keyboard.press("j");
        await page.keyboard.press("Enter");
        const history = openDelivery(page);
        await history.getByText("The receiver failed to process the request (500)").waitFor();
        await press(page, history.getByRole("button", { name: "Replay this delivery" }));
        await history.getByText("Delivered to CRM on the first attempt.").waitFor();
        expect(isSignedWith(secret, receiver.requests[0]!)).to.equal(true);
        await page.keyboard.press("Escape");
        await history.waitFor({ state: "detached" });

        await press(page, place(page, "Webhooks"));
        await press(page, page.getByRole("link", { name: "CRM", exact: true }));
        await press(page, page.getByRole("link", { name: "Signing" }));
        await press(page, page.getByRole("button", { name: "Rotate secret" }));
        const dialog = page.getByRole("dialog");
        await press(page, dialog.getByRole("button", { name: "Rotate", exact: true }));
        expect(await takeByKey(page)).not.to.equal(secret);
      });
    });
  }
});
