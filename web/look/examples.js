import { copyButton, element } from "./dom.js";

/** Single quotes of a shell around whatever the address or login is. */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

const signIn = ({ baseUrl, login }) =>
  `TOKEN=$(curl -s ${quoted(`${baseUrl}/api/token`)} -d grant_type=password \\
  --data-urlencode ${quoted(`username=${login}`)} \\
  --data-urlencode 'password=PASSWORD' |
  node -pe 'JSON.parse(fs.readFileSync(0)).access_token')`;

const createTicket = ({ baseUrl, agent }) =>
  `curl -s ${quoted(`${baseUrl}/api/tickets`)} -H "Authorization: Bearer $TOKEN" \\
  --data-urlencode ${quoted(`agent=${agent}`)} \\
  -d email=customer@example.com -d reference=HELLO`;

const step = (number, title, command, note) => {
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
export const exampleSteps = (examples) =>
  element(
    "ol",
    "steps",
    step(
      1,
      "Get a token",
      signIn(examples),
      "Put in the password that the first start printed. The token is valid for a day.",
    ),
    step(
      2,
      "Create a ticket",
      createTicket(examples),
      "Its webhooks arrive in the inbox a moment later: the ticket, then its timeline.",
    ),
  );
