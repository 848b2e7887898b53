/** A request as a command line that sends it again. Pure. */
import { maskedValue } from "../../../../src/contracts/request-headers.ts";

/** Curl measures the body itself. */
const ownHeaders = ["content-length", "host"];

type Sent = Readonly<{
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
}>;

/**
 * The same bytes: curl's own `Accept` is taken away and `User-Agent` is the one that was sent.
 * Values that are masked stay so: whoever runs it puts their own.
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

/** One word for every POSIX shell, whatever is in it. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** `-H 'Name;'` is how curl sends a header without a value; `Name:` would leave it out. */
function headerOf(name: string, value: string): string {
  return value === "" ? `${name};` : `${name}: ${value}`;
}

/** Lines that a shell skips. Nothing in them can end the line, so nothing in them is run. */
export function asComments(lines: readonly string[]): string {
  return lines.map((line) => `# ${line.replaceAll(/[\r\n]+/gu, " ")}\n`).join("");
}

/** The headers whose values only the receiver knows. */
export function maskedHeaders(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .filter(([, value]) => value.includes(maskedValue))
    .map(([name]) => name);
}
