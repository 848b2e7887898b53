import "../../shared/usable-language.ts";
import { startPage } from "../../components/start-page.tsx";
import { postToParent } from "../../shared/parent-frame.ts";
import { CallPage } from "./call-page.tsx";

// Before the first wait: a page around this one knows at its `load` whether the frame was refused.
postToParent({ type: "ready" });

await startPage(<CallPage />, "tickets", "call");
