/**
 * The cameras that a page requests from the browser: fake devices are neither front nor rear ones.
 */
import type { Page } from "playwright-core";

/** Script for a page, run before its first request for a camera. */
export const watchCameraRequests = `{
  const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  window.camerasRequested = [];
  navigator.mediaDevices.getUserMedia = (wanted) => {
    if (wanted.video) {
      window.camerasRequested.push(wanted.video.facingMode?.ideal ?? null);
    }
    return open(wanted);
  };
}`;

/** The preferred direction of each request so far, "environment" for the rear camera. */
export function camerasRequested(page: Page): Promise<(string | null)[]> {
  return page.evaluate<(string | null)[]>("window.camerasRequested");
}

/**
 * Script for a page: opens no device until `window.allow` is called, and plays nothing until then, as
 * browsers may. `window.opened` has the streams of the devices.
 */
export const askAgain = `{
  const { mediaDevices } = navigator;
  const open = mediaDevices.getUserMedia.bind(mediaDevices);
  const allowed = new Promise((resolve) => (window.allow = resolve));
  window.opened = [];
  let isPlaying = false;
  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = function () {
    return isPlaying ? play.call(this) : Promise.reject(new DOMException("", "NotAllowedError"));
  };
  document.addEventListener("play", ({ target }) => isPlaying || target.pause(), true);
  mediaDevices.getUserMedia = async (wanted) => {
    await allowed;
    const stream = await open(wanted);
    isPlaying = true;
    window.opened.push(stream);
    return stream;
  };
}`;
