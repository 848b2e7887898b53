import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { eventually } from "../support/eventually.ts";
import { findBarriers, screenshots } from "../support/browser.ts";
import { useDeliveriesFixture } from "./deliveries-fixture.ts";

describe("the explain page of the console", () => {
  const fixture = useDeliveriesFixture();

  it("explains the deliveries of a ticket, given its number, for every webhook", async function () {
    this.timeout(60_000);
    const { receiver } = fixture;
    const webhookId = await fixture.aWebhook();
    await fixture.aWebhook({ name: "Billing", conditions: { "props.state": "done" } });
    await fixture.aWebhook({ name: "Search", filters: ["media.*"] });
    const off = await fixture.aWebhook({ name: "Archive", active: true });
    await fixture.rest().succeed(`PATCH /webhooks/${off}`, { body: { active: false } });
    const ticketId = await fixture.aTicket({ reference: "R-4711" });
    await fixture.seeState(webhookId, "delivered", 1);

    const page = await fixture.open("/dashboard/explain");
    await page.getByLabel("Ticket number, reference or event ID").fill("R-4711");
    await page.keyboard.press("Enter");
    await page.getByText("Ticket created").first().waitFor();
    await page
      .getByText(/Delivered .*, on the first attempt\. Response: 200 in \d+ ?ms\./u)
      .waitFor();
    await page
      .getByText(
        /Not sent: the condition .*props\.state.*done.* was not met, props\.state was "\w+"/u,
      )
      .waitFor();
    await page.getByText("Not sent: no filter of the webhook matches this event.").waitFor();
    await page
      .getByText(
        /Not sent: the webhook has been disabled since .* Disabled by admin@demo\.example\./u,
      )
      .waitFor();
    await screenshots(page, "deliveries-explain");
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByText(`Ticket ${ticketId}`).first().waitFor();

    await page.getByLabel("Ticket number, reference or event ID").fill(receiver.ids()[0] ?? "");
    await page.keyboard.press("Enter");
    await page.waitForURL(/q=evt_/u);
    await page
      .getByText(/Delivered .*, on the first attempt/u)
      .first()
      .waitFor();

    const other = await fixture.aTicket({ reference: "R-4711" });
    await page.goto(`${fixture.platform.url}/dashboard/explain?q=R-4711`);
    await page.getByText("2 tickets have the reference R-4711. Which one?").waitFor();
    await page.getByText(`Ticket ${other}`).first().waitFor();

    // A number is read as the id of a ticket; unknown ids cause no further requests.
    const refused: string[] = [];
    page.on("response", (response) => {
      if (response.status() >= 400) {
        refused.push(`${response.status()} ${response.url()}`);
      }
    });
    await page.getByLabel("Ticket number, reference or event ID").fill(String(ticketId));
    await page.keyboard.press("Enter");
    await page.waitForURL(new RegExp(`q=${ticketId}$`, "u"));
    await page.getByText("Ticket created").first().waitFor();
    expect(refused).to.deep.equal([]);

    await page.goto(`${fixture.platform.url}/dashboard/explain?q=nothing-of-ours`);
    await page.getByText("No events found for nothing-of-ours").waitFor();
  });

  it("explains one webhook and a period, from the page of the webhook", async () => {
    const { receiver } = fixture;
    const search = await fixture.aWebhook({ name: "Search", filters: ["media.*"] });
    const crm = await fixture.aWebhook({ name: "CRM", filters: ["ticket.*"] });
    await fixture.aTicket();
    await fixture.seeState(crm, "delivered", 1);
    await receiver.sees(1);
    // The page loads the explanation once, and events in the outbox would be its first reason.
    await eventually(async () =>
      expect(await rowsOf(fixture.platform.db, "SELECT 1 FROM outbox")).to.deep.equal([]),
    );

    const page = await fixture.open(`/settings/webhooks/${search}`);
    await page.getByText("Why did events not arrive?").click();
    await page.getByText(/Events did not match the filters of the webhook: \d+\./u).waitFor();
    await page.getByText(/events? happened, 0 matched this webhook, 0 arrived/u).waitFor();
    const verdicts = page.getByRole("table", { name: "Events by result" });
    await verdicts.getByText("Not subscribed").waitFor();
    await verdicts.getByText(/of another object/u).waitFor();
    const kinds = page.getByRole("table", { name: "Events by type" });
    await kinds.getByText("Ticket created", { exact: true }).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await screenshots(page, "deliveries-why");

    await page.getByRole("combobox", { name: "Webhook" }).click();
    await page.getByRole("option", { name: "CRM" }).click();
    await page.waitForURL(new RegExp(`webhook=%22${crm}%22|webhook=${crm}`, "u"));
    await page.getByText("The receiver responded 2xx to everything that was sent.").waitFor();
    await page.getByText("Last 24 hours").click();
    await page.waitForURL(/period=day/u);
    await page.getByText("The receiver responded 2xx to everything that was sent.").waitFor();
  });

  it("updates a delivery in progress without a reload", async () => {
    const { receiver } = fixture;
    let answer: (() => void) | undefined;
    receiver.answerWith([
      {
        raw: (socket) =>
          (answer = () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")),
      },
    ]);
    await fixture.aWebhook();
    await fixture.aTicket();
    await receiver.sees(1);

    const page = await fixture.open(`/dashboard/explain?q=${receiver.ids()[0]}`);
    await page.getByText("Attempt 1 is in progress.").waitFor();
    answer?.();
    await page.getByText(/Delivered .*, on the first attempt/u).waitFor();
  });
});
