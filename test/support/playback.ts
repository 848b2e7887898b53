/** Playback of recordings in a browser. */
import { expect } from "chai";
import type { Page } from "playwright-core";
import { eventually } from "./eventually.ts";

/**
 * Expects that the video at this URL has the recorded duration, within `tolerance` seconds, and shows
 * a frame after a seek to its middle. The file must be complete: it is loaded once.
 */
export function seePlayed(page: Page, url: string, seconds: number, tolerance = 1): Promise<void> {
  const video = `Object.assign(document.createElement("video"), {
    muted: true, src: ${JSON.stringify(url)},
  })`;
  return seeMiddle(page, video, seconds, tolerance);
}

/** The same for a video element; `video` is a script that returns it. */
export async function seeMiddle(
  page: Page,
  video: string,
  seconds: number,
  tolerance = 1,
): Promise<void> {
  const played = await page.evaluate<{ seconds: number; reached: number }>(`(async () => {
    const video = window.played = ${video};
    const once = (type) => new Promise((resolve, reject) => {
      video.addEventListener(type, resolve, { once: true });
      video.addEventListener("error", () => reject(new Error("The video does not play.")), { once: true });
    });
    if (video.readyState < HTMLMediaElement.HAVE_METADATA) await once("loadedmetadata");
    const seconds = video.duration;
    if (!Number.isFinite(seconds)) return { seconds: -1, reached: -1 };
    const seeked = once("seeked");
    video.currentTime = seconds / 2;
    await seeked;
    return { seconds, reached: video.currentTime };
  })()`);
  expect(played.seconds, "its length in seconds").to.be.closeTo(seconds, tolerance);
  expect(played.reached, "the middle").to.be.closeTo(played.seconds / 2, 1);
  // A frame is drawn shortly after the video element has decoded it.
  await eventually(async () => {
    const shades = await page.evaluate<number>(shadesOfFrame);
    expect(shades, "shades of the picture there: an empty one has one").to.be.above(3);
  });
}

/** The number of different shades of green in the current frame of the video. */
const shadesOfFrame = `(() => {
  const [width, height] = [64, 36];
  const context = new OffscreenCanvas(width, height).getContext("2d");
  context.drawImage(window.played, 0, 0, width, height);
  const { data } = context.getImageData(0, 0, width, height);
  return new Set(Array.from({ length: data.length / 4 }, (_, at) => data[at * 4 + 1] >> 3)).size;
})()`;
