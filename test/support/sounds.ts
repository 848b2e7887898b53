/** Counts the tones that a page plays. */
import type { Page } from "playwright-core";

/** Script for a page, run before its own. */
export const countSounds = `{
  const start = AudioScheduledSourceNode.prototype.start;
  window.soundsStarted = 0;
  AudioScheduledSourceNode.prototype.start = function (...when) {
    window.soundsStarted += this instanceof OscillatorNode ? 1 : 0;
    return start.apply(this, when);
  };
}`;

/** The number of tones that the page has started so far. */
export function soundsStarted(page: Page): Promise<number> {
  return page.evaluate<number>("window.soundsStarted");
}
