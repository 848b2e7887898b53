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
