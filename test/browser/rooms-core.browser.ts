import { randomUUID } from "node:crypto";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { agent, useBrowserPlatform } from "../support/browser-platform.ts";
import { useBrowser } from "../support/browser.ts";
import { aVisit } from "../support/call-customer.ts";
import { eventually } from "../support/eventually.ts";
import { useNetwork } from "../support/network.ts";
import { runningRecording, seeStoredChunks } from "../support/recordings.ts";
import type { RestClient } from "../support/rest-client.ts";
import {
  type CoreOptions,
  joinCore,
  see,
  seeAwayFor,
  seeFrames,
  viewOf,
} from "../support/rooms-core.ts";

describe("the core of a call", function () {
  this.timeout(90_000);
  const platform = useBrowserPlatform();
  const browser = useBrowser();
  const network = useNetwork();

  let rest: RestClient;
  before(async () => {
    rest = await platform.rest(agent);
  });

  const enter = (
    token: string,
    facing: "user" | "environment",
    context: CoreOptions["context"] = {},
  ): Promise<Page> => joinCore(browser, { url: platform.url, token, facing, context });

  const aCall = async (customerContext: CoreOptions["context"] = {}) => {
    const tokens = await aVisit(platform.url, { rest, agent });
    const staff = await enter(tokens.staff, "user");
    const customer = await enter(tokens.customer, "environment", customerContext);
    await see(staff, ({ phase, peers }) => phase === "in-call" && peers[0]?.media === "connected");
    await see(customer, ({ peers }) => peers[0]?.media === "connected");
    return { customer, staff };
  };

  it("carries video both ways, chat, commands and a photo", async () => {
    const { customer, staff } = await aCall();
    await seeFrames(staff, 5);
    await seeFrames(customer, 5);

    await staff.evaluate(`room.sendChat("Show me the boiler, please.")`);
    await see(staff, ({ messages }) => messages.length === 1 && messages[0]?.state === "sent");
    await see(customer, ({ messages }) => messages[0]?.text === "Show me the boiler, please.");

    const peer = (await viewOf(staff)).peers[0];
    const photo = await staff.evaluate<{ ok: boolean; mediaId: number }>(
      `room.command(${JSON.stringify(peer?.id)}, { name: "snapshot" })`,
    );
    expect(photo.ok).to.equal(true);
    await see(staff, ({ shared }) => shared[0]?.mediaId === photo.mediaId);

    await staff.evaluate(`room.changeBoard({ op: "open", mediaId: ${photo.mediaId}, shapes: [] })`);
    const shape = {
      id: "6d4f0bd0-5b0f-4d0c-9a3c-0a7f5d2f1b11",
      tool: "arrow",
      color: "#e6003c",
      points: [
        { x: 0.1, y: 0.1 },
        { x: 0.4, y: 0.5 },
      ],
      number: 1,
    };
    await staff.evaluate(`room.changeBoard(${JSON.stringify({ op: "put", shape })})`);
    const seen = await see(customer, ({ board }) => board?.shapes.length === 1);
    expect(seen.board).to.deep.equal({ mediaId: photo.mediaId, shapes: [shape] });
  });

  it("records with the customer's consent, and uploads all of it", async () => {
    const { customer, staff } = await aCall();
    await seeFrames(staff, 1);
    await staff.evaluate(`room.askToRecord(), undefined`);
    await see(customer, ({ recording }) => recording.state === "asked");
    await customer.evaluate(`room.answerRecording(true)`);
    await see(staff, ({ recording }) => recording.state === "recording");
    await see(
      customer,
      ({ recording, peers }) =>
        recording.state === "recording" && peers[0]?.state["isRecording"] === true,
    );
    await seeStoredChunks(platform.db, await runningRecording(rest), 1);
    await staff.evaluate(`room.stopRecording()`);
    await eventually(async () => {
      const { body } = await rest.succeed("GET /medias");
      const [media] = body["data"] as { source_type: string; filesize: number }[];
      expect(media?.source_type).to.equal("ticket_record");
      expect(media?.filesize).to.be.above(1_000);
    });
    await see(customer, ({ recording }) => recording.state === "off");
  });

  it("switches the camera without a new negotiation", async () => {
    const { customer, staff } = await aCall();
    await seeFrames(staff, 5);
    const peer = (await viewOf(staff)).peers[0];
    const cameraOf = (): Promise<string> =>
      customer.evaluate(`room.view().local.stream.getVideoTracks()[0].getSettings().deviceId`);
    const before = await cameraOf();
    await see(staff, ({ peers }) =>
      JSON.stringify(peers[0]?.state["camera"]).includes('"canSwitch":true'),
    );
    const descriptions = await customer.evaluate("connections[0].remoteDescription.sdp");
    const switchIt = `room.command("${peer?.id}", { name: "switch-camera" })`;
    expect(await staff.evaluate(switchIt)).to.deep.equal({ ok: true });
    expect(await staff.evaluate(switchIt)).to.deep.equal({ ok: true });
    expect(await cameraOf()).not.to.equal(before);
    const frames = await staff.evaluate<number>("window.framesDecoded()");
    await seeFrames(staff, frames + 5);
    expect(await customer.evaluate("connections[0].remoteDescription.sdp")).to.equal(descriptions);
  });

  it("finds a new route if both sides restart ICE at the same time", async () => {
    const { customer, staff } = await aCall();
    const fragment = `connections[0].remoteDescription.sdp.match(/ice-ufrag:(.+)/)[1]`;
    const before = await staff.evaluate(fragment);
    const restart = `window.dispatchEvent(new Event("online")), undefined`;
    await Promise.all([customer.evaluate(restart), staff.evaluate(restart)]);
    await eventually(async () => expect(await staff.evaluate(fragment)).not.to.equal(before));
    await see(staff, ({ peers }) => peers[0]?.media === "connected");
    const frames = await staff.evaluate<number>("window.framesDecoded()");
    await seeFrames(staff, frames + 5);
    expect(await customer.evaluate("connections.length")).to.equal(1);
  });

  it("sends neither video nor audio while the customer pauses", async () => {
    const { customer, staff } = await aCall();
    await seeFrames(staff, 1);
    await customer.evaluate("room.setPaused(true)");
    const { peers } = await see(staff, (view) => view.peers[0]?.state["isPaused"] === true);
    expect(peers[0]?.state["isCameraOn"]).to.equal(false);
    expect(
      await customer.evaluate("connections[0].getSenders().every(({ track }) => track === null)"),
    ).to.equal(true);
    const refused = await staff.evaluate(`room.command("${peers[0]?.id}", { name: "snapshot" })`);
    expect(refused).to.deep.equal({ ok: false, reason: "paused" });
    await customer.evaluate("room.setPaused(false)");
    const frames = await staff.evaluate<number>("window.framesDecoded()");
    await seeFrames(staff, frames + 5);
  });

  it("starts no recording that the customer refused", async () => {
    const { customer, staff } = await aCall();
    await staff.evaluate(`room.askToRecord(), undefined`);
    await see(customer, ({ recording }) => recording.state === "asked");
    await customer.evaluate(`room.answerRecording(false)`);
    await see(staff, ({ recording }) => recording.state === "refused");
  });

  it("continues without a new connection after the signalling was lost", async () => {
    const { customer, staff } = await aCall();
    await seeFrames(staff, 1);
    const before = await customer.evaluate<number>("window.connections.length");
    await platform.restart();
    await staff.evaluate(`room.sendChat("Still there?")`);
    await see(customer, ({ messages }) => messages[0]?.text === "Still there?");
    await see(
      customer,
      ({ connection, phase }) => connection === "connected" && phase === "in-call",
    );
    expect(await customer.evaluate("window.connections.length")).to.equal(before);
    const frames = await staff.evaluate<number>("window.framesDecoded()");
    await seeFrames(staff, frames + 5);
  });

  it("reconnects with a reloaded page", async () => {
    const tokens = await aVisit(platform.url, { rest, agent });
    const staff = await enter(tokens.staff, "user");
    const first = await enter(tokens.customer, "environment");
    await see(staff, ({ peers }) => peers[0]?.media === "connected");
    await first.close();
    await enter(tokens.customer, "environment");
    await see(staff, ({ peers }) => peers.some((one) => one.isInCall && one.media === "connected"));
    const frames = await staff.evaluate<number>("window.framesDecoded()");
    await seeFrames(staff, frames + 5);
  });

  it("recovers after 5 s without a network, and delivers pending messages", async () => {
    const { customer, staff } = await aCall({ proxy: network.proxy });
    const before = (await viewOf(staff)).peers[0]?.id;
    network.takeAway();
    await see(customer, ({ connection }) => connection === "reconnecting");
    await customer.evaluate(`room.sendChat("Written without a network.")`);
    await staff.evaluate(`room.sendChat("Are you there?")`);
    await seeAwayFor(customer, 5_000);
    expect((await viewOf(customer)).messages.map(({ state }) => state)).to.deep.equal(["sending"]);
    network.bringBack();
    await see(
      customer,
      ({ messages }) => messages.length === 2 && messages.every(({ state }) => state === "sent"),
    );
    await see(staff, ({ messages }) => messages.length === 2);
    expect((await viewOf(staff)).peers[0]?.id).to.equal(before);
    await see(staff, ({ peers }) => peers[0]?.media === "connected");
  });

  it("comes back after 25 s without a network, when its place was given up", async () => {
    const { customer, staff } = await aCall({ proxy: network.proxy });
    network.takeAway();
    await see(customer, ({ connection }) => connection === "reconnecting");
    await seeAwayFor(customer, 25_000);
    await see(staff, ({ peers }) => !peers.some(({ isInCall }) => isInCall));
    network.bringBack();
    await see(
      customer,
      ({ connection, phase }) => connection === "connected" && phase === "in-call",
    );
    await see(staff, ({ peers }) => peers.some((one) => one.isInCall && one.media === "connected"));
    for (const page of [staff, customer]) {
      const frames = await page.evaluate<number>("window.framesDecoded()");
      await seeFrames(page, frames + 5);
    }
    const rows = await rowsOf<{ event_type: string }>(
      platform.db,
      `SELECT event_type FROM session_events WHERE event_type LIKE 'session.%' AND ticket_id =
         (SELECT max(id) FROM tickets WHERE enterprise_id = ?) ORDER BY id`,
      [platform.enterpriseId],
    );
    expect(
      rows.map(({ event_type: type }) => type),
      "each once",
    ).to.deep.equal(["session.agentContacted", "session.established", "session.userLeft"]);
  });

  it("has the same drawing on both sides after an outage", async () => {
    const { customer, staff } = await aCall({ proxy: network.proxy });
    const pen = (id: string): string =>
      JSON.stringify({
        ...{ id, tool: "pen", color: "#e6003c" },
        points: [{ x: 0.25, y: 0.5 }],
      });
    const [first, second, third, fourth] = Array.from({ length: 4 }, () => randomUUID());
    const change = (page: Page, text: string) => page.evaluate(`room.changeBoard(${text})`);
    const put = (page: Page, id = "") => change(page, `{ op: "put", shape: ${pen(id)} }`);
    await change(staff, `{ op: "open", mediaId: 7, shapes: [] }`);
    await put(staff, first);
    await see(customer, ({ board }) => board?.shapes.length === 1);
    network.takeAway();
    await see(customer, ({ connection }) => connection === "reconnecting");
    await put(staff, second);
    await put(customer, third);
    await change(staff, `{ op: "remove", id: "${first}" }`);
    await put(customer, fourth);
    network.bringBack();
    // All shapes are there before their order is the same.
    await eventually(async () => {
      const [ofStaff, ofCustomer] = [(await viewOf(staff)).board, (await viewOf(customer)).board];
      expect(ofStaff?.shapes.map(({ id }) => id)).to.have.members([second, third, fourth]);
      expect(ofCustomer?.shapes).to.deep.equal(ofStaff?.shapes);
    });
  });

  it("ends for both when the agent ends it", async () => {
    const { customer, staff } = await aCall();
    await staff.evaluate(`room.end()`);
    const left = await see(customer, ({ phase }) => phase === "left");
    expect(left.leaveReason).to.equal("ended");
    await see(staff, ({ phase }) => phase === "left");
    expect(left.local["isCameraOn"]).to.equal(false);
  });
});
