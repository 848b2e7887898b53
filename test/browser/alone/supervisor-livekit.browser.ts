/** A supervisor watches a call: the supervisor's page, and the notice for all participants. */
import { expect } from "chai";
import type { Page } from "playwright-core";
import { admin, agent, useOwnPlatform } from "../../support/browser-platform.ts";
import { findBarriers, phone, screenshot, screenshots, useBrowser } from "../../support/browser.ts";
import { eventually } from "../../support/eventually.ts";
import { describeWithLivekit, useLivekitServer } from "../../support/livekit-server.ts";
import { meetingPages, seeRoom } from "../../support/meeting-pages.ts";
import type { RestClient } from "../../support/rest-client.ts";
import { seeFrames, watchConnections } from "../../support/rooms-core.ts";
import { press, seeHeading } from "../../support/screens.ts";
import { closeClients, enterRoom } from "../../support/signalling.ts";
import { agree, devices, joinAndWait } from "../../support/visit-pages.ts";

const notice = "A supervisor is watching";

describeWithLivekit("a supervisor", function () {
  this.timeout(180_000);
  const livekit = useLivekitServer();
  const platform = useOwnPlatform(livekit.environment);
  const browser = useBrowser();
  let rest: RestClient;
  before(async () => {
    rest = await platform.rest(admin);
  });
  afterEach(closeClients);

  const noAudio = { expectedErrors: [/AudioContext encountered/u] };

  /** A ticket with agent and customer in the call, on their real pages. */
  const aCall = async (prepare: (page: Page) => Promise<void> = async () => undefined) => {
    const body = {
      ...{ agent: agent.login, email: "jeanne@customer.example", invite: 1, language: "en" },
      ...{ firstname: "Jeanne", lastname: "Martin", reference: "CRM-2026-4711" },
    };
    const ticket = (await rest.succeed("POST /tickets", { body })).body;
    const { id, button_id: button } = ticket as { id: number; button_id: number };
    const agentPage = await browser.open({ context: { permissions: ["microphone"] }, ...noAudio });
    await agentPage.addInitScript(watchConnections);
    await prepare(agentPage);
    await platform.signIn(agentPage, agent, `/agent/entrypoint/${button}/tickets/${id}`);
    await seeHeading(agentPage, "Waiting for Jeanne Martin");
    const customer = await browser.open({ viewport: phone, context: devices, ...noAudio });
    await customer.addInitScript(watchConnections);
    await prepare(customer);
    await customer.goto(String(ticket["requestor_url"]));
    await agree(customer);
    await joinAndWait(customer);
    await press(agentPage, "Answer");
    await seeHeading(customer, "Demo Agent is with you");
    await seeFrames(agentPage, 5);
    return { id, agentPage, customer };
  };

  const seeNotice = (page: Page, isShown: boolean): Promise<void> =>
    page.getByText(notice, { exact: true }).waitFor({ state: isShown ? "visible" : "detached" });

  it("sees and hears a call of two, who are notified, and is not part of the session", async () => {
    const { id, agentPage, customer } = await aCall();
    await seeNotice(customer, false);
    const page = await browser.open(noAudio);
    await page.addInitScript(watchConnections);
    await platform.signIn(page, admin, "/rooms");
    await page.getByRole("link", { name: "Join as supervisor" }).click();
    await Promise.all([agentPage, customer].map((one) => seeNotice(one, true)));
    await page.getByRole("heading", { name: "Jeanne Martin" }).waitFor();
    await seeFrames(page, 10);
    const people = page.getByRole("list", { name: "In the call" }).getByRole("listitem");
    expect(await people.count()).to.equal(2);
    const playing = `[...document.querySelectorAll("video")].some(
      (video) => video.videoWidth > 0 && !video.paused &&
        video.srcObject.getAudioTracks().length > 0)`;
    await eventually(() => page.evaluate<boolean>(playing));
    await seeFrames(agentPage, 20);
    await screenshots(page, "supervisor-watches");
    await screenshot(agentPage, "supervisor-agent");
    await screenshot(customer, "supervisor-customer");
    expect(await findBarriers(page)).to.deep.equal([]);
    const { body } = await rest.succeed(`GET /tickets/${id}/sessions`);
    const [session] = body["data"] as { participants: { role: string }[] }[];
    expect(session?.participants.map(({ role }) => role)).to.have.members(["agent", "requestor"]);

    await page.getByRole("link", { name: "Stop watching" }).click();
    await Promise.all([agentPage, customer].map((one) => seeNotice(one, false)));
    const audit = await rest.succeed(
      `GET /enterprises/${platform.enterpriseId}/audit?object=ticket`,
    );
    const entries = audit.body["data"] as { action: string; objectId: string }[];
    expect(entries.map((one) => [one.action, one.objectId])).to.deep.equal([["watch", String(id)]]);
    const events = (await rest.succeed(`GET /tickets/${id}/events`)).body as unknown;
    expect(JSON.stringify(events)).to.not.contain("supervisor");
  });

  it("can watch although the pages in the call, busy devices, connect to LiveKit slowly", async () => {
    const held: (() => void)[] = [];
    const { agentPage, customer } = await aCall(async (page) => {
      await page.clock.install();
      await page.routeWebSocket(/access_token=/u, async (socket) => {
        await new Promise<void>((resolve) => held.push(resolve));
        socket.connectToServer();
      });
    });
    const { body } = await rest.succeed("GET /rooms");
    const [room] = body["data"] as { id: string }[];
    const page = await browser.open(noAudio);
    await page.addInitScript(watchConnections);
    await platform.signIn(page, admin, `/rooms/${room?.id}`);
    await eventually(() => expect(held).to.have.length(2));
    // Longer than the first attempt may take, while the direct connection still carries the call.
    await Promise.all([agentPage, customer].map((one) => one.clock.fastForward(8_000)));
    held.forEach((connect) => connect());
    await seeFrames(page, 10);
    const routes = await platform.db("sessions").orderBy("started_at").pluck("media_route");
    expect(routes.at(-1)).to.equal("livekit");
  });

  it("loses the video as soon as nobody is notified, although LiveKit is still connected", async () => {
    const { agentPage, customer } = await aCall();
    const { body } = await rest.succeed("GET /rooms");
    const [room] = body["data"] as { id: string }[];
    const lost = { expectedErrors: [...noAudio.expectedErrors, /WebSocket connection to/u] };
    const page = await browser.open(lost);
    await page.addInitScript(watchConnections);
    const open: { close(): Promise<void> }[] = [];
    let isAborted = false;
    await page.routeWebSocket(/\/signalling\//u, (socket) => {
      open.push(...(isAborted ? [] : [socket, socket.connectToServer()]));
      void (isAborted ? socket.close() : undefined);
    });
    await platform.signIn(page, admin, `/rooms/${room?.id}`);
    await seeFrames(page, 10);
    await seeNotice(customer, true);
    isAborted = true;
    await Promise.all(open.map((socket) => socket.close()));
    // Without heartbeats, the lease of the page would expire after 20 s.
    const lease = platform.db("room_peers").where({ role: "supervisor" });
    await eventually(
      async () => {
        await lease.clone().update({ seen_at: new Date(Date.now() - 30_000) });
        expect(await agentPage.getByText(notice).count()).to.equal(0);
      },
      { timeoutMs: 40_000 },
    );
    await seeNotice(customer, false);
    const count = (one: Page): Promise<number> => one.evaluate<number>("window.framesDecoded()");
    // The pages of the participants have unpublished their tracks.
    await eventually(async () => expect(await count(page)).to.equal(0));
    await seeFrames(agentPage, (await count(agentPage)) + 20);
    expect(await count(page)).to.equal(0);
    const isConnected = `window.connections.some((one) => one.connectionState === "connected")`;
    expect(await page.evaluate(isConnected)).to.equal(true);
  });

  it("is announced in a meeting, in French too, and leaves with its end", async () => {
    const pages = meetingPages(platform, browser);
    const meeting = await pages.create();
    const host = await pages.host(meeting, { context: devices });
    const guest = await pages.guest(meeting, "Nia", { context: devices, language: "fr" });
    await seeRoom(guest);
    const { body } = await rest.succeed("GET /rooms");
    const room = (body["data"] as { id: string; subject_id: number }[]).find(
      ({ subject_id: subject }) => subject === meeting.id,
    );
    const answer = await rest.succeed(`POST /rooms/${room?.id}/supervisor-token`);
    const watching = await enterRoom(platform, String(answer.body["room_token"]));
    await seeNotice(host, true);
    await guest.getByText("Un superviseur observe l’appel", { exact: true }).waitFor();
    await screenshots(host, "supervisor-meeting");
    watching.close();
    await seeNotice(host, false);
    const page = await browser.open(noAudio);
    await platform.signIn(page, admin, `/rooms/${room?.id}`);
    await page.getByText("Everyone in the call sees").waitFor();
    await rest.succeed(`POST /conferences/${meeting.id}/end`);
    await page.getByText("This call has ended").waitFor();
  });
});
