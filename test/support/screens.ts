/** What people press and read on a page, or in a frame of one. */
import type { Locator } from "playwright-core";

export type Screen = Pick<Locator, "getByRole" | "getByLabel">;

export async function press(screen: Screen, name: string | RegExp): Promise<void> {
  await screen.getByRole("button", { name, exact: typeof name === "string" }).click();
}

export async function seeHeading(screen: Screen, name: string | RegExp): Promise<void> {
  await screen.getByRole("heading", { name }).waitFor();
}
