/** Calls in the boxes of a third-party site, for the tests of a `describe`. */
import { expect } from "chai";
import type { Frame, Page } from "playwright-core";
import { watchConnections } from "../../bench/support/rooms-core.ts";
import type { OpenOptions } from "./browser.ts";
import { enterAsCustomer } from "./call-customer.ts";
import { eventually } from "./eventually.ts";
import { inAgent, useLoaderFixture } from "./loader-fixture.ts";
import { recordOf, type LoaderSetup } from "./loader-host.ts";

export type CallTicket = Readonly<{ id: number; requestor_url: string }>;

export function useLoaderCalls() {
  const loader = useLoaderFixture();

  /** A page of another site with the box of a new ticket. */
  const open = async (setup: LoaderSetup = {}, options: OpenOptions = {}) => {
    const ticket: CallTicket = await loader.aTicket();
    const page = await loader.browser.open({
      ...options,
      context: { permissions: ["microphone", "camera", "local-network-access"] },
    });
    await page.addInitScript(watchConnections);
    await loader.host.show(page, { hasCalls: true, ...setup }, loader.host.foreignUrl);
    await recordOf(page, "init");
    await inAgent(page, `openBox(${ticket.id})`);
    return { page, ticket, box: page.locator(".im-box") };
  };
  const customerOf = (ticket: CallTicket): Promise<Page> => enterAsCustomer(ticket, loader);

  const callPageOf = (page: Page): Frame => {
    const found = page.frames().find((frame) => frame.url().includes("/agent/entrypoint/"));
    if (found === undefined) {
      throw new Error(
        `no page of a call among ${page
          .frames()
          .map((frame) => frame.url())
          .join()}`,
      );
    }
    return found;
  };
  const framesOf = (frame: Frame): Promise<number> => frame.evaluate("window.framesDecoded()");
  const seeMoreFrames = async (frame: Frame): Promise<void> => {
    const before = await framesOf(frame);
    await eventually(
      async () => {
        const states = await frame.evaluate<string>(
          "window.connections.map((one) => `${one.connectionState} ${one.signalingState}`).join()",
        );
        expect(await framesOf(frame), `connections: ${states}`).to.be.above(before + 5);
      },
      { timeoutMs: 20_000 },
    );
  };
  /** Answers the waiting customer, by keyboard or click. Returns the frame. */
  const answer = async (page: Page, hasFocus = false): Promise<Frame> => {
    const button = page.frameLocator(".im-frame").getByRole("button", { name: /Answer|Répondre/u });
    await button.waitFor();
    await (hasFocus ? page.keyboard.press("Enter") : button.click());
    await page.getByRole("timer").first().waitFor();
    const frame = callPageOf(page);
    await seeMoreFrames(frame);
    return frame;
  };
  return { loader, open, customerOf, callPageOf, framesOf, seeMoreFrames, answer };
}
