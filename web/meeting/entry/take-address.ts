import { parseAddress, type MeetingAddress } from "./address.ts";

/** The token is dropped from the address, so that a copied link does not grant its role. */
export function takeAddress(): MeetingAddress {
  const { address, publicPath } = parseAddress(location);
  if (address.accessToken !== undefined) {
    history.replaceState(null, "", publicPath);
  }
  return address;
}
