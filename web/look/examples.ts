import { copyButton, element } from "./dom.ts";

/** What the commands are filled with: the platform's address, and who does what. */
export type Examples = Readonly<{ baseUrl: string; login: string; agent: string }>;

/** Single quotes of a shell around whatever the address or login is. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const signIn = ({ baseUrl, login }: Examples): string =>
  `TOKEN=$(curl -s ${quoted(`${baseUrl}/api/token`)} -d grant_type=password \\
  --data-urlencode ${quoted(`username=${login}`)} \\
  --data-urlencode 'password=PASSWORD' |
  node -pe 'JSON.parse(fs.readFileSync(0)).access_token')`;

const createTicket = ({ baseUrl, agent }: Examples): string =>
  `curl -s ${quoted(`${baseUrl}/api/tickets`)} -H "Authorization: Bearer $TOKEN" \\
  --data-urlencode ${quoted(`agent=${agent}`)} \\
  -d email=customer@example.com -d reference=HELLO`;

type Step = Readonly<{ title: string; command: string; note: string }>;

const step = (number: number, { title, command, note }: Step): HTMLElement => {
  const head = element(
    "div",
    "step-title",
    element("span", "step-number", String(number)),
    title,
    copyButton(() => command),
  );
  const text = element("p", "step-note", note);
  return element("li", "", head, element("pre", "code", command), text);
};

/** The commands that make a first ticket, with this platform's real address. */
export const exampleSteps = (examples: Examples): HTMLElement =>
  element(
    "ol",
    "steps",
    step(1, {
      title: "Get a token",
      command: signIn(examples),
      note: "Put in the password that the first start printed. The token is valid for a day.",
    }),
    step(2, {
      title: "Create a ticket",
      command: createTicket(examples),
      note: "Its webhooks arrive in the inbox a moment later: the ticket, then its timeline.",
    }),
  );
