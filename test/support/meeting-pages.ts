/** Pages of one meeting in real browsers. */
import { expect } from "chai";
import type { Page } from "playwright-core";
import { agent, type BrowserPlatform } from "./browser-platform.ts";
import type { OpenOptions, TestBrowser } from "./browser.ts";
import { eventually } from "./eventually.ts";
import { watchCameraRequests } from "./camera-requests.ts";
import { watchConnections } from "./rooms-core.ts";
import { countSounds } from "./sounds.ts";

export type MeetingLinks = Readonly<{
  id: number;
  url: string;
  short_url: string;
  /** The link of the organizer. */
  sso_url: string;
  room_name: string;
  service_key: string;
}>;

export type MeetingPages = Readonly<{
  create(body?: object): Promise<MeetingLinks>;
  /** Opens a link with devices that the browser allows without a prompt. */
  open(url: string, options?: OpenOptions): Promise<Page>;
  /** Opens the room as the organizer. */
  host(meeting: MeetingLinks, options?: OpenOptions): Promise<Page>;
  /**
   * Opens the meeting by its link, with the name in the query; moderation may keep the guest out of
   * the room.
   */
  guest(meeting: MeetingLinks, name: string, options?: OpenOptions): Promise<Page>;
}>;

/** Machines without an audio device report this; the fake microphone still works. */
const noAudioDevice = /AudioContext encountered an error from the audio device/u;

export function meetingPages(platform: BrowserPlatform, browser: TestBrowser): MeetingPages {
  const open: MeetingPages["open"] = async (url, options = {}) => {
    const expectedErrors = [noAudioDevice, ...(options.expectedErrors ?? [])];
    const page = await browser.open({ ...options, expectedErrors });
    await page.addInitScript(`${watchConnections};${watchCameraRequests};${countSounds}`);
    await page.goto(url);
    return page;
  };
  return {
    open,
    create: async (body = {}) => {
      const rest = await platform.rest(agent);
      const defaults = {
        participants: "guest@customer.example",
        name: "Comité de pilotage",
        scope: "sso",
      };
      const made = await rest.succeed("POST /conferences", { body: { ...defaults, ...body } });
      return made.body as MeetingLinks;
    },
    host: async (meeting, options) => {
      const page = await open(meeting.sso_url, options);
      await seeRoom(page);
      return page;
    },
    guest: (meeting, name, options) =>
      open(`${meeting.url}?name=${encodeURIComponent(name)}`, options),
  };
}

/** Waits for a button that exists only in the room. */
export async function seeRoom(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^(People|Participants)/u }).waitFor();
}

/** Waits until frames of others arrive continuously. */
export async function seeFrames(page: Page): Promise<void> {
  const frames = (): Promise<number> => page.evaluate<number>("window.framesDecoded()");
  const before = await eventually(async () => {
    const count = await frames();
    expect(count).to.be.greaterThan(0);
    return count;
  });
  await eventually(async () => expect(await frames()).to.be.greaterThan(before));
}
