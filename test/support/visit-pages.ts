/** The steps on the customer's page, from the link to the room. */
import { press, seeHeading, type Screen } from "./screens.ts";

/** Permissions for devices, so that the browser does not prompt. */
export const devices = { permissions: ["camera", "microphone"] };
export const devicesAndPosition = { permissions: [...devices.permissions, "geolocation"] };

/** From the welcome page over the consent to the next page. */
export async function agree(screen: Screen): Promise<void> {
  await press(screen, "Start");
  await screen.getByLabel("I accept the terms of use").check();
  await screen.getByLabel("I have read the privacy notice").check();
  await press(screen, "Agree and continue");
}

/** From the device check to a room without the agent. */
export async function joinAndWait(screen: Screen): Promise<void> {
  await press(screen, "Join the call");
  await seeHeading(screen, /will be with you in a moment/u);
}

export async function leaveTheCall(screen: Screen): Promise<void> {
  await press(screen, "Leave the call");
  await press(screen.getByRole("alertdialog"), "Leave the call");
  await seeHeading(screen, "You left the call");
}
