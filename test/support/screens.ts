/** Actions and checks on a page, or in a frame of one, by visible text. */
import type { Locator } from "playwright-core";

export type Screen = Pick<Locator, "getByRole" | "getByLabel">;

export async function press(screen: Screen, name: string | RegExp): Promise<void> {
  await screen.getByRole("button", { name, exact: typeof name === "string" }).click();
}

export async function seeHeading(screen: Screen, name: string | RegExp): Promise<void> {
  await screen.getByRole("heading", { name }).waitFor();
}
