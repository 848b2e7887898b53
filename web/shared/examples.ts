import { copyButton } from "./copy.ts";
import { element } from "./dom.ts";
import { sharedTexts } from "./shared-texts.ts";

/** Values for the example commands: the server's address and the logins. */
export type Examples = Readonly<{ baseUrl: string; login: string; agent: string }>;

/** The commands that create a first ticket, with this server's real address. */
export function exampleSteps(examples: Examples): HTMLElement {
  const { texts } = sharedTexts();
  return element(
    "ol",
    "steps",
    step(1, {
      title: texts.step_token,
      command: signIn(examples, texts.password),
      note: texts.step_token_note,
    }),
    step(2, {
      title: texts.step_ticket,
      command: createTicket(examples),
      note: texts.step_ticket_note,
    }),
  );
}

type Step = Readonly<{ title: string; command: string; note: string }>;

function step(number: number, { title, command, note }: Step): HTMLElement {
  const head = element(
    "div",
    "step-title",
    element("span", "step-number", String(number)),
    title,
    copyButton(() => command),
  );
  const code = element("pre", "code", command);
  code.tabIndex = 0; // focusable, so that the keyboard can scroll it on a phone
  return element("li", "", head, code, element("p", "step-note", note));
}

function signIn({ baseUrl, login }: Examples, password: string): string {
  return `TOKEN=$(curl -s ${quoted(`${baseUrl}/api/token`)} -d grant_type=password \\
  --data-urlencode ${quoted(`username=${login}`)} \\
  --data-urlencode ${quoted(`password=${password}`)} |
  node -pe 'JSON.parse(fs.readFileSync(0)).access_token')`;
}

function createTicket({ baseUrl, agent }: Examples): string {
  return `curl -s ${quoted(`${baseUrl}/api/tickets`)} -H "Authorization: Bearer $TOKEN" \\
  --data-urlencode ${quoted(`agent=${agent}`)} \\
  -d email=customer@example.com -d reference=HELLO`;
}

/** Quotes a text for the shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
