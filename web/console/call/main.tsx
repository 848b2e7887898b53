import "../../shared/usable-language.ts";
import { startPage } from "../../components/start-page.tsx";
import { CallPage } from "./call-page.tsx";

await startPage(<CallPage />, "tickets", "call");
