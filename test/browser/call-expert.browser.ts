/** A call of three real pages: the agent, the customer, and an expert whom the agent invited. */
import { expect } from "chai";
import type { Page } from "playwright-core";
import { agent } from "../support/browser-platform.ts";
import { findBarriers, phone, screenshot, screenshots, useBrowser } from "../support/browser.ts";
import { enterAsCustomer } from "../support/call-customer.ts";
import { eventually } from "../support/eventually.ts";
import { seeFrames, watchConnections } from "../support/rooms-core.ts";
import { press, seeHeading } from "../support/screens.ts";
import { otherAgent, useTicketsConsole, type Made } from "../support/tickets-console.ts";
import { agree, devices } from "../support/visit-pages.ts";

/** The number of frames that each connection of the page has decoded. */
const framesOfEach = `Promise.all(window.connections
  .filter(({ connectionState }) => connectionState === "connected")
  .map(async (one) => {
    let frames = 0;
    (await one.getStats()).forEach((entry) => {
      frames += entry.type === "inbound-rtp" && entry.kind === "video" ? (entry.framesDecoded ?? 0) : 0;
    });
    return frames;
  }))`;

/** Whether the named video plays, with sound. */
function seeHeard(page: Page, name: string): Promise<void> {
  return eventually(async () => {
    const played = await page.evaluate<object>(`(() => {
      const video = document.querySelector('video[aria-label="${name}"]');
      const { srcObject, paused, muted } = video;
      return { paused, muted, sounds: srcObject.getAudioTracks().map((one) => one.readyState) };
    })()`);
    expect(played).to.deep.equal({ paused: false, muted: false, sounds: ["live"] });
  });
}

function seeBothOthers(page: Page): Promise<void> {
  return eventually(async () => {
    const frames = await page.evaluate<number[]>(framesOfEach);
    expect(
      frames.filter((count) => count > 5),
      JSON.stringify(frames),
    ).to.have.length(2);
  });
}

describe("an expert in an agent's call", function () {
  this.timeout(180_000);
  const { platform, rest, create, stateIs } = useTicketsConsole();
  const browser = useBrowser();
  const toolOf = (page: Page, tool: string) => page.locator(`[data-tool="${tool}"]`);

  const openWatched = async (url: string, options: Parameters<typeof browser.open>[0] = {}) => {
    const page = await browser.open({ context: devices, ...options });
    await page.addInitScript(watchConnections);
    await page.goto(url);
    return page;
  };

  /** Agent and customer in a call, both with a picture. */
  const aCall = async (
    openAgentPage: (ticket: Made, agentPage: Page) => Promise<void>,
    colors: "light" | "dark" = "light",
  ) => {
    const ticket = await create({
      ...{ firstname: "Jeanne", lastname: "Martin", invite: true, subject: "The boiler" },
      ...{ language: "en", scope: "sso" },
    });
    const agentPage = await browser.open({ context: devices, colors });
    await agentPage.addInitScript(watchConnections);
    await openAgentPage(ticket, agentPage);
    await seeHeading(agentPage, "Waiting for Jeanne Martin");
    const customer = await openWatched(ticket.requestor_url, { viewport: phone });
    await agree(customer);
    await press(customer, "Join the call");
    await press(agentPage, "Answer");
    await seeFrames(agentPage, 5);
    await toolOf(agentPage, "camera").click();
    await seeFrames(customer, 5);
    return { ticket, agentPage, customer };
  };

  const signIn = (ticket: Made, agentPage: Page) =>
    platform.signIn(agentPage, agent, `/agent/entrypoint/${ticket.button_id}/tickets/${ticket.id}`);

  const openSsoUrl = async (ticket: Made, agentPage: Page): Promise<void> => {
    const { sso_url: url } = ticket as Made & { sso_url: string };
    await agentPage.goto(url.replace(/^https?:\/\/[^/]+/u, platform.url));
  };

  const linkInMailTo = (address: string): Promise<string> =>
    eventually(async () => {
      const response = await fetch(`${platform.url}/mailbox/messages`);
      const { messages } = (await response.json()) as { messages: { to: string; text: string }[] };
      const text = messages.find(({ to }) => to === address)?.text ?? "";
      const link = /https?:\/\/\S+(\/x\/[0-9A-Za-z]+)/u.exec(text)?.[1];
      expect(link, text).to.be.a("string");
      return `${platform.url}${link}`;
    });

  const inviteByMail = async (agentPage: Page, email: string): Promise<void> => {
    await toolOf(agentPage, "expert").click();
    const dialog = agentPage.getByRole("dialog");
    await dialog.getByText("Email or phone").click();
    await dialog.getByLabel("Email", { exact: true }).fill(email);
    await dialog.getByRole("button", { name: "Invite", exact: true }).click();
    await dialog.getByText("The invitation is on its way.").waitFor();
  };

  it("sees and hears both, points, writes, is shown to the customer, and can be removed", async () => {
    const { ticket, agentPage, customer } = await aCall(signIn);
    await toolOf(agentPage, "expert").click();
    await agentPage.getByRole("dialog").getByText("Email or phone").waitFor();
    expect(await findBarriers(agentPage)).to.deep.equal([]);
    await screenshots(agentPage, "call-expert-dialog");
    await agentPage.keyboard.press("Escape");
    await inviteByMail(agentPage, "vera@expert.example");
    await screenshot(agentPage, "call-expert-invited");
    await agentPage.keyboard.press("Escape");

    const expert = await openWatched(await linkInMailTo("vera@expert.example"));
    await seeHeading(expert, "The boiler");
    const card = await expert.locator("main").innerText();
    expect(card).to.contain("Demo Agent invites you to this call as an expert");
    expect(card, "nothing else of the ticket").to.not.match(/Martin|jane\.doe/u);
    expect(await findBarriers(expert)).to.deep.equal([]);
    await screenshots(expert, "expert-card");
    await expert.getByLabel("Your name").fill("Vera Klein");
    await press(expert, "Join");
    await customer.getByText("Vera Klein is in the call as an expert").waitFor();
    await Promise.all([agentPage, customer, expert].map(seeBothOthers));
    await agentPage.getByText("Vera Klein (expert)").waitFor();
    await screenshots(expert, "expert-call");
    await screenshots(agentPage, "call-with-expert");
    await screenshot(customer, "visit-with-expert");

    await press(expert, "Point");
    const picture = expert.getByLabel("Jeanne Martin’s video");
    await expert.locator("canvas").first().hover();
    for (const page of [customer, agentPage]) {
      await page.getByTestId("pointer").waitFor();
    }
    await picture.waitFor();
    await press(expert, "Chat");
    await expert.getByLabel("Message to everyone").fill("It is the red valve");
    await expert.keyboard.press("Enter");
    await agentPage.getByText("It is the red valve").waitFor();
    await toolOf(agentPage, "freeze").click();
    await expert.getByRole("img", { name: "Photo with drawings" }).waitFor();
    await eventually(async () => {
      const width = await expert.evaluate<number>(
        `[...document.images].map(({ naturalWidth }) => naturalWidth).at(-1) ?? 0`,
      );
      expect(width, "the photo is readable for the expert").to.be.above(0);
    });
    await screenshot(expert, "expert-board");
    await press(agentPage, /Back to the video|Close/u);
    await press(expert, "More");
    for (const name of ["Record", "Lock the meeting", "End for everyone", "Raise hand"]) {
      expect(await expert.getByRole("button", { name }).count(), name).to.equal(0);
    }
    await expert.keyboard.press("Escape");

    await toolOf(agentPage, "expert").click();
    await press(agentPage.getByRole("dialog"), "Remove Vera Klein");
    await seeHeading(expert, "You were removed from the call");
    await agentPage.keyboard.press("Escape");
    await customer.getByText("Vera Klein is in the call as an expert").waitFor({ state: "hidden" });
    await seeFrames(customer, 5);
    await expert.reload();
    await expert.getByText("This link has expired").waitFor();
    await stateIs(ticket.id, "closed");
  });

  it("is heard while sharing a screen, as is a customer whose page shares one", async () => {
    const ticket = await create({ firstname: "Jeanne", lastname: "Martin", invite: true });
    const agentPage = await browser.open({ context: devices });
    await signIn(ticket, agentPage);
    await seeHeading(agentPage, "Waiting for Jeanne Martin");
    const customer = await enterAsCustomer(ticket, { platform, browser });
    await press(agentPage, "Answer");
    await seeHeard(agentPage, "Video of Jeanne Martin");
    await inviteByMail(agentPage, "share@expert.example");
    await agentPage.keyboard.press("Escape");
    const expert = await openWatched(await linkInMailTo("share@expert.example"));
    await expert.getByLabel("Your name").fill("Vera Klein");
    await press(expert, "Join");
    await seeHeard(agentPage, "Vera Klein, in the call");
    await press(expert, "Share screen");
    await agentPage.getByLabel("Screen of Vera Klein").waitFor();
    await seeHeard(agentPage, "Vera Klein, in the call");

    await customer.evaluate("room.shareScreen(true)");
    await agentPage.getByLabel("Screen of Jeanne Martin").waitFor();
    await seeHeard(agentPage, "Video of Jeanne Martin");
    await customer.evaluate("room.shareScreen(false)");
    await agentPage.getByLabel("Screen of Jeanne Martin").waitFor({ state: "detached" });
    await seeHeard(agentPage, "Video of Jeanne Martin");
  });

  it("can be a colleague, chosen by name with an sso_url, who takes over the ticket", async () => {
    const { body: users } = await rest().succeed("GET /users?limit=100");
    const logins = new Set([agent.login, otherAgent.login]);
    const members = (users["data"] as { id: number; login: string }[])
      .filter(({ login }) => logins.has(login))
      .map(({ id }) => id);
    const groups = `POST /enterprises/${platform.enterpriseId}/user-groups`;
    await rest().succeed(groups, { body: { name: "Boilers", members } });
    const { ticket, agentPage } = await aCall(openSsoUrl, "dark");
    await toolOf(agentPage, "expert").click();
    const dialog = agentPage.getByRole("dialog");
    await dialog.getByRole("combobox", { name: "Colleague" }).fill("second");
    await agentPage.getByRole("option").first().click();
    await dialog.getByRole("button", { name: "Invite", exact: true }).click();
    await dialog.getByText(/is invited/u).waitFor();
    await screenshots(agentPage, "call-expert-invited-dark");
    await agentPage.keyboard.press("Escape");
    const link = await linkInMailTo(otherAgent.login);
    // The card of the customer's invitation does not show the address of the colleague.
    await agentPage.getByRole("tab", { name: "Customer" }).click();
    const mails = agentPage.getByRole("listitem");
    await mails.filter({ hasText: "jane.doe@example.com" }).first().waitFor();
    expect(await mails.filter({ hasText: otherAgent.login }).count()).to.equal(0);
    const expert = await openWatched(link, { colors: "dark", language: "fr" });
    await expert.getByText(/^Vous participez en tant que second/u).waitFor();
    await screenshots(expert, "expert-card-dark");
    await press(expert, "Rejoindre");
    await Promise.all([agentPage, expert].map(seeBothOthers));
    await press(expert, "Participants");
    for (const role of ["Agent", "Client", "Expert"]) {
      await expert.getByRole("complementary").getByText(role, { exact: true }).waitFor();
    }
    await screenshots(expert, "expert-people-dark");

    await toolOf(agentPage, "transfer").click();
    await dialog.getByRole("combobox", { name: "New agent" }).fill("second");
    await agentPage.getByRole("option").first().click();
    await dialog.getByRole("button", { name: "Transfer" }).click();
    await agentPage
      .getByRole("heading", { name: `This ticket belongs to ${otherAgent.login}` })
      .waitFor();
    await agentPage.getByText("You transferred it.").waitFor();
    const { body } = await rest().succeed(`GET /tickets/${ticket.id}`);
    expect(body["agent"]).to.equal(otherAgent.login);
    expect(await agentPage.getByText("Your session has ended").count(), "a sign-in").to.equal(0);
  });
});
