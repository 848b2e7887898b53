import "../shared/usable-language.ts";
import { startPage } from "../components/start-page.tsx";
import { Console } from "./console.tsx";

// The token of a `sso_url` is for the agent's page of a room: it does not stay in the address, nor in
// what the sign-in hands on.
const address = new URL(window.location.href);
if (address.searchParams.has("access_token")) {
  address.searchParams.delete("access_token");
  window.history.replaceState(null, "", address);
}

await startPage(<Console />);
