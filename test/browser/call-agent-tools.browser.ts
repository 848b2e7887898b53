import { expect } from "chai";
import type { Locator, Page } from "playwright-core";
import { agent } from "../support/browser-platform.ts";
import { findBarriers, screenshots, useBrowser } from "../support/browser.ts";
import { enterAsCustomer } from "../support/call-customer.ts";
import { eventually } from "../support/eventually.ts";
import { readFixture } from "../support/media.ts";
import { seeMiddle, seePlayed } from "../support/playback.ts";
import {
  recordedSeconds,
  recordingUrl,
  runningRecording,
  seeStoredChunks,
  watchRecorder,
} from "../support/recordings.ts";
import type { Login } from "../support/rest-client.ts";
import { see } from "../support/rooms-core.ts";
import { otherAgent, useTicketsConsole, type Made } from "../support/tickets-console.ts";

const leader: Login = { login: "calls.leader@demo.example", password: "Correct-horse-9" };

/** Makes the page measure a round-trip time of one second from now on. */
const makeConnectionSlow = `{
  const pair = { type: "candidate-pair", nominated: true, state: "succeeded", currentRoundTripTime: 1 };
  RTCPeerConnection.prototype.getStats = () => Promise.resolve(new Map([["pair", pair]]));
}`;

describe("the tools of the agent in a call", function () {
  this.timeout(150_000);
  const { platform, rest, create, open } = useTicketsConsole();
  const browser = useBrowser();
  const inCall = {
    context: { permissions: ["camera", "microphone", "clipboard-read", "clipboard-write"] },
  };
  const toolOf = (page: Page, tool: string) => page.locator(`[data-tool="${tool}"]`);
  const whyNot = (page: Page, tool: string) => toolOf(page, tool).getAttribute("aria-description");

  before(async () => {
    await rest().succeed("POST /users", {
      body: {
        ...{ ...leader, email: leader.login, firstname: "Mara", lastname: "Duval" },
        ...{ role: "admin", isAgent: true },
      },
    });
  });

  const openAs = (login: Login, { id, button_id: button }: Made): Promise<Page> =>
    open(login, `/agent/entrypoint/${button}/tickets/${id}`, inCall);

  const aCall = async () => {
    const ticket = await create({ firstname: "Jeanne", lastname: "Martin", invite: true });
    const page = await openAs(agent, ticket);
    const customer = await enterAsCustomer(ticket, { platform, browser });
    await page.getByRole("button", { name: "Answer" }).click();
    await eventually(async () => {
      const script = "document.querySelector('[data-customer-video] video')?.videoWidth ?? 0";
      expect(await page.evaluate<number>(script)).to.be.above(0);
    });
    return { ticket, page, customer };
  };

  it("records with the customer's consent, and plays the recording from the files", async () => {
    const { ticket, page, customer } = await aCall();
    await page.evaluate(watchRecorder);
    await toolOf(page, "record").click();
    await page.getByText("The customer is being asked whether").waitFor();
    await see(customer, ({ recording }) => recording.state === "asked");
    await customer.evaluate("room.answerRecording(true)");
    await page.getByText("● Recording").waitFor();
    await see(
      customer,
      ({ recording, peers }) =>
        recording.state === "recording" && peers[0]?.state["isRecording"] === true,
    );
    // More than one chunk: the final file must be as long as all of them.
    const id = await runningRecording(rest(), ticket.id);
    await seeStoredChunks(platform.db, id, 2);
    expect(await whyNot(page, "record")).to.equal("Stop the recording");
    await toolOf(page, "record").click();
    await page.getByText("● Recording").waitFor({ state: "detached" });
    await see(customer, ({ recording }) => recording.state === "off");
    const seconds = await recordedSeconds(page);
    await seePlayed(page, await recordingUrl(rest(), id), seconds);
    await page.getByRole("tab", { name: "Photos & files" }).click();
    await page
      .getByRole("tabpanel")
      .getByRole("button", { name: /record/iu })
      .first()
      .click();
    await page.getByRole("dialog").locator("video").waitFor();
    await seeMiddle(page, `document.querySelector("[role=dialog] video")`, seconds);
  });

  it("does not record a customer who refuses", async () => {
    const { ticket, page, customer } = await aCall();
    await toolOf(page, "record").click();
    await see(customer, ({ recording }) => recording.state === "asked");
    await customer.evaluate("room.answerRecording(false)");
    await page.getByText("The customer does not want the call to be recorded.").waitFor();
    await see(customer, ({ recording }) => recording.state === "off");
    const { body } = await rest().succeed(
      `GET /medias?ticketId=${ticket.id}&status=inprogress,uncompleted,completed`,
    );
    expect(body["total"]).to.equal(0);
  });

  it("shows new timeline entries, and that the customer's connection became poor", async () => {
    const { page, customer } = await aCall();
    await page.getByRole("tab", { name: "Timeline" }).click();
    const timeline = page.getByRole("tabpanel");
    await timeline.getByText("Audio and video are connected").waitFor();
    const entry = timeline.getByText("A snapshot was taken with the customer’s camera");
    expect(await entry.count()).to.equal(0);
    await toolOf(page, "photo").click();
    await entry.waitFor();
    expect(await entry.count()).to.equal(1);

    const quality = page.getByRole("group", { name: "Connection quality" });
    await quality.getByText("Jeanne Martin · Good").waitFor();
    await customer.evaluate(makeConnectionSlow);
    await quality.getByText("Jeanne Martin · Poor").waitFor();
    await quality.getByText("The customer’s connection is poor.").waitFor();
    await quality.getByText("You · Good").waitFor();
    await screenshots(page, "call-poor-timeline");
    expect(await findBarriers(page)).to.deep.equal([]);
  });

  const middleOf = async (one: Locator): Promise<{ x: number; y: number }> => {
    const { x, y, width, height } = (await one.boundingBox())!;
    return { x: x + width / 2, y: y + height / 2 };
  };

  it("draws with each tool for both sides, takes shapes back, and asks before it discards them", async () => {
    const { page, customer } = await aCall();
    await toolOf(page, "photo").click();
    await page.locator("[data-media]").first().waitFor();
    await toolOf(page, "freeze").click();
    const board = page.getByRole("region", { name: "Drawing" });
    await board.getByRole("img", { name: "Drawing on the photo" }).first().waitFor();
    const { x, y } = await middleOf(board.locator("canvas"));
    const drawLine = async (tool: string, offset = 0): Promise<void> => {
      await board.getByRole("button", { name: tool }).click();
      await page.mouse.move(x - 60, y - 60 + offset);
      await page.mouse.down();
      await page.mouse.move(x + 60, y - 50 + offset, { steps: 3 });
      await page.mouse.up();
    };
    for (const [at, tool] of ["Pen", "Numbered arrow", "Circle", "Highlighter"].entries()) {
      await drawLine(tool, 30 * at);
    }
    await board.getByRole("button", { name: "Text", exact: true }).click();
    await page.mouse.click(x, y);
    await page.keyboard.type("This valve");
    await page.keyboard.press("Enter");
    const seeShapes = (tools: readonly string[]) =>
      eventually(async () => {
        const shapes = await customer.evaluate<{ tool: string; text?: string }[]>(
          "window.room.view().board?.shapes ?? []",
        );
        expect(shapes.map(({ tool }) => tool)).to.deep.equal(tools);
        return shapes;
      });
    const drawn = ["pen", "arrow", "circle", "highlighter", "text"];
    expect((await seeShapes(drawn)).at(-1)?.text).to.equal("This valve");
    await board.getByRole("button", { name: "Undo" }).click();
    await seeShapes(drawn.slice(0, -1));
    await board.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Continue drawing" }).click();
    await seeShapes(drawn.slice(0, -1));
    const photo = () => customer.evaluate<number>("window.room.view().board?.mediaId");
    const firstButton = page.getByRole("button", { name: "Show photo 1" });
    const [drawnOn, first] = [await photo(), Number(await firstButton.getAttribute("data-media"))];
    const drawOnFirst = async (): Promise<void> => {
      await firstButton.click();
      await page.getByRole("button", { name: "Draw on it" }).click();
    };
    await drawOnFirst();
    await page.getByRole("button", { name: "Continue drawing" }).click();
    await seeShapes(drawn.slice(0, -1));
    expect([await photo(), drawnOn === first]).to.deep.equal([drawnOn, false]);
    await drawOnFirst();
    await screenshots(page, "call-replace-drawing");
    await page.getByRole("button", { name: "Open without saving" }).click();
    await seeShapes([]);
    expect(await photo()).to.equal(first);
    await board.getByRole("img", { name: "Drawing on the photo" }).first().waitFor();
    await drawLine("Circle");
    await seeShapes(["circle"]);
    await board.getByRole("button", { name: "Clear" }).click();
    await seeShapes([]);
    await board.getByRole("button", { name: "Close" }).click();
    await board.waitFor({ state: "detached" });
  });

  it("reads the text of a photo, and copies it", async () => {
    const { page, customer } = await aCall();
    const photo = (await readFixture("text.png")).toString("base64");
    await customer.evaluate(`room.sendFile(
      new Blob([Uint8Array.from(atob("${photo}"), (one) => one.charCodeAt(0))], { type: "image/png" }),
      "plate.png",
    )`);
    await page.locator("[data-media]").first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Read text" }).click();
    const found = dialog.getByLabel("Text found");
    await found.waitFor({ timeout: 60_000 });
    const text = await found.innerText();
    expect(text.trim()).to.equal("Meter 48213\nSerial AB 7790");
    await screenshots(page, "call-ocr");
    expect(await findBarriers(page)).to.deep.equal([]);
    await dialog.getByRole("button", { name: "Copy text" }).click();
    await dialog.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(copied.trim()).to.equal(text.trim());
    const photoBox = await dialog.getByAltText("plate.png").boundingBox();
    const { x, y, width, height } = photoBox ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(x + 2, y + 2);
    await page.mouse.down();
    await page.mouse.move(x + width - 2, y + height * 0.46, { steps: 3 });
    await page.mouse.up();
    await dialog.getByRole("button", { name: "Use the whole photo" }).waitFor();
    await dialog.getByRole("button", { name: "Read text" }).click();
    await found.filter({ hasNotText: "Serial" }).waitFor({ timeout: 60_000 });
    expect((await found.innerText()).trim(), "of the chosen part").to.equal("Meter 48213");
  });

  it("controls the customer's camera and the own devices by keyboard, and shows unsupported tools", async () => {
    const { page, customer } = await aCall();
    expect(await whyNot(page, "torch")).to.equal("This phone has no torch that web pages can use");
    expect(await whyNot(page, "zoom")).to.equal("This camera cannot zoom");
    const trackOf = () =>
      customer.evaluate<string>(
        "room.view().local.stream.getVideoTracks()[0].getSettings().deviceId",
      );
    const before = await trackOf();
    await page.keyboard.press("s");
    await eventually(async () => expect(await trackOf()).to.not.equal(before));
    const pressed = (tool: string) => toolOf(page, tool).getAttribute("aria-pressed");
    const mic = await pressed("mic");
    await page.keyboard.press("m");
    await eventually(async () => expect(await pressed("mic")).to.not.equal(mic));
    await page.keyboard.press("v");
    await see(customer, ({ peers }) => peers[0]?.state["isCameraOn"] === true);
    await page.keyboard.press("?");
    const legend = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await legend.getByRole("row", { name: "P Photo" }).waitFor();
    await legend.getByRole("row", { name: "Enter Answer" }).waitFor();
    await screenshots(page, "call-shortcuts");
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.keyboard.press("Escape");
    await legend.waitFor({ state: "detached" });
  });

  it("shows the agent's screen to the customer, and stops", async () => {
    const { page, customer } = await aCall();
    await toolOf(page, "share").click();
    await see(customer, ({ peers }) => peers[0]?.hasScreen === true);
    expect(await toolOf(page, "share").getAttribute("aria-pressed")).to.equal("true");
    await toolOf(page, "share").click();
    await see(customer, ({ peers }) => peers[0]?.hasScreen === false);
  });

  it("shows the agent the same state as the other participants", async () => {
    const { customer } = await aCall();
    const own = () => customer.evaluate<Record<string, unknown>>("({ ...room.view().self.state })");
    await eventually(async () => {
      const state = await own();
      expect(state["isCameraOn"]).to.equal(true);
      expect(state["camera"]).to.include({ isTorchOn: null, canSwitch: true });
    });
    await customer.evaluate("room.setPaused(true)");
    await eventually(async () => expect((await own())["isPaused"]).to.equal(true));
  });

  it("invites again, takes a ticket, and transfers it to another agent", async () => {
    const ticket = await create({ firstname: "Jeanne", lastname: "Martin" });
    const page = await openAs(leader, ticket);
    await page.getByRole("heading", { name: /^This ticket belongs to/u }).waitFor();
    await page.getByRole("button", { name: "Take the ticket" }).click();
    await page.getByRole("heading", { name: "Waiting for Jeanne Martin" }).waitFor();
    await toolOf(page, "invite").click();
    await page.getByRole("dialog").getByRole("button", { name: "Send invitation" }).click();
    await page.getByText(`The invitation for ticket ${ticket.id} is on its way.`).waitFor();
    await page.getByRole("button", { name: "Invite again" }).first().waitFor();
    await toolOf(page, "transfer").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("combobox", { name: "New agent" }).fill("second");
    await page.getByRole("option").first().click();
    await dialog.getByRole("button", { name: "Transfer" }).click();
    await page
      .getByRole("heading", { name: `This ticket belongs to ${otherAgent.login}` })
      .waitFor();
    const { body } = await rest().succeed(`GET /tickets/${ticket.id}`);
    expect(body["agent"]).to.equal(otherAgent.login);
  });
});
