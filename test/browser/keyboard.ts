/** Keyboard navigation, in which the focus must be visible at every step. */
import { expect } from "chai";
import type { Locator, Page } from "playwright-core";

/** Whether the focused element looks different from its unfocused state. */
function isFocusSeen(page: Page): Promise<boolean> {
  return page.evaluate(`(async () => {
    const settled = () => Promise.all(document.getAnimations()
      .filter((one) => one.effect?.getComputedTiming().endTime !== Infinity)
      .map((one) => one.finished.catch(() => {})));
    const focused = document.activeElement;
    const near = [focused, focused.parentElement, ...focused.parentElement.children];
    const look = () => near.map((node) => {
      const style = getComputedStyle(node);
      const outline = style.outlineStyle === "none" ? "" : style.outline;
      return [outline, style.boxShadow, style.borderColor, style.backgroundColor, style.top];
    }).join();
    await settled();
    const before = look();
    focused.blur();
    await settled();
    const after = look();
    focused.focus({ preventScroll: true });
    return before !== after;
  })()`);
}

async function hasFocus(page: Page, wanted: Locator): Promise<boolean> {
  return (await page.locator(":focus").and(wanted).count()) > 0;
}

/** Presses Tab until this element has the focus, which must be visible at each step. */
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.first().waitFor({ state: "attached" });
  for (let tabs = 0; tabs < 150; tabs += 1) {
    if (await hasFocus(page, wanted)) {
      expect(await isFocusSeen(page), `the focus on ${String(wanted)}`).to.equal(true);
      return;
    }
    await page.keyboard.press("Tab");
  }
  throw new Error(`No Tab leads to ${String(wanted)}`);
}

export async function press(page: Page, wanted: Locator, key = "Enter"): Promise<void> {
  await tabTo(page, wanted);
  await page.keyboard.press(key);
}

export async function write(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, page.getByRole("textbox", { name: label, exact: true }));
  await page.keyboard.type(text);
}

/** An entry of the main menu. */
export function place(page: Page, name: string): Locator {
  return page
    .getByRole("navigation", { name: "Main menu" })
    .getByRole("link", { name, exact: true });
}
