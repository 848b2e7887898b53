/** A message that is written and not sent stays while its page shows something else. */
import { expect } from "chai";
import type { Page } from "playwright-core";
import { agent } from "../support/browser-platform.ts";
import { phone, useBrowser } from "../support/browser.ts";
import { meetingPages, seeRoom } from "../support/meeting-pages.ts";
import { press, seeHeading } from "../support/screens.ts";
import { useTicketsConsole } from "../support/tickets-console.ts";
import { agree, devices } from "../support/visit-pages.ts";

describe("a chat message that is not sent yet", function () {
  this.timeout(120_000);
  const { platform, create, open } = useTicketsConsole();
  const browser = useBrowser();

  const write = async (page: Page, label: string): Promise<void> => {
    await page.getByLabel(label, { exact: true }).fill("The boiler is");
  };
  const seeKept = async (page: Page, label: string): Promise<void> => {
    expect(await page.getByLabel(label, { exact: true }).inputValue()).to.equal("The boiler is");
    await page.getByLabel(label, { exact: true }).press("Enter");
    await page.getByRole("log").getByText("The boiler is").last().waitFor();
    expect(await page.getByLabel(label, { exact: true }).inputValue(), "after sending").to.equal(
      "",
    );
  };

  it("is kept by the agent's page on another tab, and by the customer's with the chat closed", async () => {
    const ticket = await create({ firstname: "Jeanne", lastname: "Martin", invite: true });
    const address = `/agent/entrypoint/${ticket.button_id}/tickets/${ticket.id}`;
    const page = await open(agent, address, { context: devices });
    await seeHeading(page, "Waiting for Jeanne Martin");
    await write(page, "Write a message");
    await page.getByRole("tab", { name: "Timeline" }).click();
    await page.getByText("Jeanne Martin was invited").waitFor();
    await page.getByRole("tab", { name: "Chat" }).click();
    await seeKept(page, "Write a message");

    const customer = await browser.open({ context: devices, viewport: phone });
    await customer.goto(ticket.requestor_url);
    await agree(customer);
    await press(customer, "Join the call");
    await customer.getByRole("button", { name: /^Open the chat/u }).click();
    await write(customer, "Message");
    await customer.keyboard.press("Escape");
    await customer.getByRole("button", { name: /^Open the chat/u }).click();
    await seeKept(customer, "Message");
  });

  it("is kept by the page of a meeting while it lists the people", async () => {
    const meetings = meetingPages(platform, browser);
    const page = await meetings.guest(await meetings.create(), "Nia");
    await seeRoom(page);
    await press(page, "Chat");
    await write(page, "Message to everyone");
    await press(page, "People");
    await page.getByRole("heading", { name: "People" }).waitFor();
    await press(page, "Chat");
    await seeKept(page, "Message to everyone");
  });
});
