import { expect } from "chai";
import type { Page } from "playwright-core";
import { agent, useBrowserPlatform } from "../support/browser-platform.ts";
import { findBarriers, phone, screenshot, seeFits, useBrowser } from "../support/browser.ts";
import { askAgain, camerasRequested } from "../support/camera-requests.ts";
import { eventually } from "../support/eventually.ts";
import { meetingPages, seeFrames, seeRoom } from "../support/meeting-pages.ts";
import { press, seeHeading } from "../support/screens.ts";
import { tabTo } from "./keyboard.ts";

const join = async (page: Page, name: string): Promise<void> => {
  await page.getByLabel("Your name").fill(name);
  await press(page, "Join");
};

describe("the meeting room", function () {
  this.timeout(120_000);
  const platform = useBrowserPlatform();
  const browser = useBrowser();
  const meetings = meetingPages(platform, browser);

  it("admits a guest through the name form, and an organizer through their link", async () => {
    const meeting = await meetings.create();
    const guest = await meetings.open(meeting.url);
    await seeHeading(guest, "Comité de pilotage");
    await guest.getByText("Organized by Demo Agent").waitFor();
    await guest.getByLabel("Camera", { exact: true }).waitFor();
    expect(await findBarriers(guest), "the card").to.deep.equal([]);
    await screenshot(guest, "meeting-card");
    await press(guest, "Join");
    await guest.getByText("Enter your name, so that the others know who you are.").waitFor();
    await join(guest, "Nia");
    await seeRoom(guest);
    const cameras = await camerasRequested(guest);
    expect(new Set(cameras), "the front camera").to.deep.equal(new Set(["user"]));
    await guest.getByText("You are the only one here").waitFor();
    await screenshot(guest, "meeting-alone");
    const host = await meetings.host(meeting);
    expect(host.url(), "the token is dropped").to.equal(meeting.url);
    await Promise.all([seeFrames(host), seeFrames(guest)]);
    await screenshot(host, "meeting-pair");
    expect(await findBarriers(host), "the room of two").to.deep.equal([]);
    await press(guest, "More");
    expect(await guest.getByRole("button", { name: "Lock the meeting" }).count()).to.equal(0);
    await host.reload();
    await press(host, "Leave or end the meeting");
    await press(host, "Leave the meeting");
    await seeHeading(host, "You left the meeting");
    await screenshot(host, "meeting-left");
    await press(host, "Join again");
    await Promise.all([seeFrames(host), seeFrames(guest)]);
  });

  it("shows three people in a grid, with chat, files, raised hands and muted microphones", async () => {
    const meeting = await meetings.create();
    const host = await meetings.host(meeting);
    const nia = await meetings.guest(meeting, "Nia");
    const bob = await meetings.guest(meeting, "Bob");
    await Promise.all([seeFrames(host), seeFrames(nia), seeFrames(bob)]);
    await press(nia, "Chat");
    await nia.getByLabel("Message to everyone").fill("Bonjour à tous");
    await nia.keyboard.press("Enter");
    await press(host, "Chat, 1 unread message");
    await host.getByRole("log").getByText("Bonjour à tous").waitFor();
    const file = { name: "plan.txt", mimeType: "text/plain", buffer: Buffer.from("north wall\n") };
    await nia.locator("input[type=file]").setInputFiles(file);
    const link = host.getByRole("link", { name: /^plan\.txt/u });
    await link.waitFor();
    const read = await host.request.get((await link.getAttribute("href")) ?? "");
    expect(await read.text()).to.equal("north wall\n");
    await host.getByText("File from Nia").waitFor();
    await screenshot(host, "meeting-chat");
    expect(await findBarriers(host), "the chat").to.deep.equal([]);
    await press(bob, "Raise hand");
    await press(host, "People");
    const list = host.getByRole("complementary");
    await list.getByRole("img", { name: "Hand raised" }).waitFor();
    await screenshot(host, "meeting-people");
    expect(await findBarriers(host), "the list of people").to.deep.equal([]);
    await press(nia, "Mute");
    await list.getByRole("img", { name: "Muted" }).waitFor();
    await nia.getByRole("button", { name: "Unmute" }).waitFor();
    await host.getByRole("main").hover();
    await press(host, "Enlarge Bob");
    await screenshot(host, "meeting-large");
    await press(host, "Show everyone");
  });

  it("opens no camera and no microphone that were off before a reload", async () => {
    const meeting = await meetings.create();
    const page = await meetings.guest(meeting, "Nia");
    await seeRoom(page);
    await press(page, "Turn camera off");
    await press(page, "Mute");
    await page.getByRole("button", { name: "Unmute" }).waitFor();
    await page.reload();
    await seeRoom(page);
    await page.getByRole("button", { name: "Unmute" }).waitFor();
    expect(await camerasRequested(page)).to.deep.equal([]);
    await press(page, "Turn camera on");
    await page.getByRole("button", { name: "Turn camera off" }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Turn camera off" }).waitFor();
    await page.getByRole("button", { name: "Unmute" }).waitFor();
  });

  it("shows a raised hand to its owner after leaving and joining again", async () => {
    const meeting = await meetings.create();
    const host = await meetings.host(meeting);
    const bob = await meetings.guest(meeting, "Bob");
    await seeRoom(bob);
    await press(host, "People");
    const hand = host.getByRole("complementary").getByRole("img", { name: "Hand raised" });
    await press(bob, "Raise hand");
    await hand.waitFor();
    await press(bob, "Leave");
    await hand.waitFor({ state: "detached" });
    await press(bob, "Join again");
    await hand.waitFor();
    await press(bob, "Lower hand");
    await hand.waitFor({ state: "detached" });
  });

  it("asks for the password, and distinguishes a wrong one from a missing one", async () => {
    const meeting = await meetings.create({ password: "1234#" });
    const page = await meetings.guest(meeting, "Nia");
    await eventually(async () =>
      expect(await page.getByLabel("Your name").inputValue()).to.equal("Nia"),
    );
    await press(page, "Join");
    await page.getByText("This meeting has a password.").waitFor();
    await page.getByLabel("Meeting password").fill("9999");
    await press(page, "Join");
    await page.getByText("This password is not correct.").waitFor();
    await page.getByLabel("Meeting password").fill("1234#");
    await press(page, "Join");
    await seeRoom(page);
  });

  it("skips the form for a name in the short link, and uses the account that is signed in", async () => {
    const meeting = await meetings.create({ password: "1234#" });
    const page = await browser.open();
    await platform.signIn(page, agent);
    await page.goto(meeting.short_url);
    await page.getByText("You are joining as organizer.").waitFor();
    await press(page, "Join");
    await press(page, "Leave or end the meeting");
    const open = await meetings.create();
    const guest = await meetings.open(`${open.short_url}?name=Jos%C3%A9`);
    await seeRoom(guest);
    await press(guest, "People");
    await guest.getByText("José (you)").waitFor();
  });

  it("has a friendly page for a cancelled, ended or unknown meeting", async () => {
    const meeting = await meetings.create();
    const rest = await platform.rest(agent);
    await rest.succeed(`DELETE /conferences/${meeting.id}`);
    const page = await browser.open();
    expect((await page.goto(meeting.url))?.status()).to.equal(410);
    await seeHeading(page, "The meeting was cancelled");
    await screenshot(page, "meeting-cancelled");
    const { short_url } = meeting;
    expect((await page.goto(short_url))?.status()).to.equal(410);
    await seeHeading(page, "The call was cancelled");
    const held = await meetings.create();
    await meetings.host(held);
    await rest.succeed(`POST /conferences/${held.id}/end`);
    expect((await page.goto(held.url))?.status()).to.equal(410);
    await seeHeading(page, "The meeting is over");
    await page.getByText("If you missed it, contact Demo Agent.").waitFor();
    const moderated = await meetings.create({ moderation: true });
    const waiting = await meetings.guest(moderated, "Nia");
    await seeHeading(waiting, "Waiting to be admitted");
    await rest.succeed(`DELETE /conferences/${moderated.id}`);
    await seeHeading(waiting, "The meeting was cancelled");
    expect(await findBarriers(page)).to.deep.equal([]);
    const unknown = meeting.url.replace(/:[0-9a-f]{32}$/u, `:${"0".repeat(32)}`);
    expect((await page.goto(unknown))?.status()).to.equal(404);
    await seeHeading(page, "Meeting not found");
  });

  it("is usable by keyboard only", async () => {
    const meeting = await meetings.create();
    const page = await meetings.open(meeting.url);
    await tabTo(page, page.getByLabel("Your name"));
    await page.keyboard.type("Nia");
    await page.keyboard.press("Enter");
    await seeRoom(page);
    await tabTo(page, page.getByRole("button", { name: "Mute", exact: true }));
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Unmute" }).waitFor();
    await tabTo(page, page.getByRole("button", { name: "Chat", exact: true }));
    await page.keyboard.press("Enter");
    await tabTo(page, page.getByLabel("Message to everyone"));
    await page.keyboard.type("Hello");
    await page.keyboard.press("Enter");
    await page.getByRole("log").getByText("Hello").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("complementary").waitFor({ state: "detached" });
    await tabTo(page, page.getByRole("button", { name: "More" }));
    await page.keyboard.press("Enter");
    await tabTo(page, page.getByRole("button", { name: "Settings" }));
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Settings" }).waitFor();
    await screenshot(page, "meeting-settings");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await tabTo(page, page.getByRole("button", { name: "Leave" }));
    await page.keyboard.press("Enter");
    await seeHeading(page, "You left the meeting");
  });

  it("says above the name what to do about blocked devices, on the smallest phone", async () => {
    const meeting = await meetings.create();
    const page = await browser.open({ viewport: { width: 320, height: 568 } });
    await page.addInitScript(`
      const { mediaDevices } = navigator;
      const open = mediaDevices.getUserMedia.bind(mediaDevices);
      window.isBlocked = true;
      mediaDevices.getUserMedia = async (wanted) => {
        if (window.isBlocked) throw new DOMException("refused", "NotAllowedError");
        return open(wanted);
      };`);
    await page.goto(meeting.url);
    const notice = page.getByRole("alert");
    await notice.getByText("Camera and microphone are blocked.").waitFor();
    expect(await notice.count()).to.equal(1);
    const retry = await page.getByRole("button", { name: "Try again" }).boundingBox();
    const name = await page.getByLabel("Your name").boundingBox();
    expect(retry?.y).to.be.below(name?.y ?? 0);
    expect((name?.y ?? 0) + (name?.height ?? 0), "in sight").to.be.below(568);
    await screenshot(page, "meeting-card-blocked");
    expect(await findBarriers(page)).to.deep.equal([]);
    await seeFits(page, "the card");
    await page.evaluate("window.isBlocked = false");
    await press(page, "Try again");
    await notice.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Mute", exact: true }).waitFor();
  });

  it("is entered after a reload while the browser asks for the devices again", async () => {
    const meeting = await meetings.create();
    const host = await meetings.host(meeting);
    const nia = await meetings.guest(meeting, "Nia");
    await Promise.all([seeFrames(host), seeFrames(nia)]);
    await nia.addInitScript(askAgain);
    await nia.reload();
    await seeRoom(nia);
    await nia.evaluate("window.allow()");
    await Promise.all([seeFrames(host), seeFrames(nia)]);
  });

  it("fits on a phone, in French and dark mode", async () => {
    const meeting = await meetings.create();
    const options = { viewport: phone, colors: "dark", language: "fr" } as const;
    const nia = await meetings.open(meeting.url, options);
    await seeHeading(nia, "Comité de pilotage");
    await nia.getByLabel("Caméra", { exact: true }).waitFor();
    await screenshot(nia, "meeting-card-phone");
    expect(await findBarriers(nia), "the card").to.deep.equal([]);
    await seeFits(nia, "the card");
    await nia.getByLabel("Votre nom").fill("Nia");
    await press(nia, "Rejoindre");
    await seeRoom(nia);
    await meetings.host(meeting);
    await seeFrames(nia);
    await screenshot(nia, "meeting-pair-phone");
    await press(nia, "Plus");
    await screenshot(nia, "meeting-more-phone");
    expect(await findBarriers(nia), "the room").to.deep.equal([]);
    await seeFits(nia, "the room");
    await press(nia, "Chat");
    await screenshot(nia, "meeting-chat-phone");
    await seeFits(nia, "the chat");
  });
});
