import { startPage } from "../components/start-page.tsx";
import { QuickInvitation } from "./quick-invitation.tsx";

await startPage(<QuickInvitation />, "quick-invitation");
