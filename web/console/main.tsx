import "../shared/usable-language.ts";
import { startPage } from "../components/start-page.tsx";
import { Console } from "./console.tsx";

await startPage(<Console />);
