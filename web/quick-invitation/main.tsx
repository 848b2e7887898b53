import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "../look/tokens.css";
import "../components/console.css";
import { startPage } from "../components/start-page.tsx";
import { QuickInvitation } from "./quick-invitation.tsx";

await startPage(<QuickInvitation />, "quick-invitation");
