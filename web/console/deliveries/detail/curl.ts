/** Converts a request to a curl command. Pure. */
import { maskedValue } from "../../../../src/contracts/request-headers.ts";

/** Curl measures the body itself. */
const ownHeaders = ["content-length", "host"];

type Sent = Readonly<{
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
}>;

/**
 * Sends identical bytes: removes curl's `Accept` header and sets the original `User-Agent`. Masked
 * values stay masked; the user fills them in.
 */
export function toCurl({ url, headers, body }: Sent): string {
  const input = Object.entries(headers).filter(
    ([name]) => !ownHeaders.includes(name.toLowerCase()),
  );
  const hasAccept = input.some(([name]) => name.toLowerCase() === "accept");
  const lines = [
    `curl -i -X POST ${quoteForShell(url)}`,
    ...(hasAccept ? [] : [`-H 'Accept:'`]),
    ...input.map(([name, value]) => `-H ${quoteForShell(headerOf(name, value))}`),
    ...(body === null ? [] : [`--data-raw ${quoteForShell(body)}`]),
  ];
  return lines.join(" \\\n  ");
}

/** Quotes a text as one word of a POSIX shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** curl sends an empty header for `-H 'Name;'`; `Name:` would remove the header. */
function headerOf(name: string, value: string): string {
  return value === "" ? `${name};` : `${name}: ${value}`;
}

/** Shell comments. Line breaks are removed, so that nothing in them is executed. */
export function asComments(lines: readonly string[]): string {
  return lines.map((line) => `# ${line.replaceAll(/[\r\n]+/gu, " ")}\n`).join("");
}

/** Names of the headers whose values are masked. */
export function maskedHeaders(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .filter(([, value]) => value.includes(maskedValue))
    .map(([name]) => name);
}
