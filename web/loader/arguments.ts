/** Validates the arguments of `loadAgent`. Pure. */
import { languageOf, type Language } from "./texts.ts";

export const templates = ["default", "dock"] as const;

export type Template = (typeof templates)[number];

/** Properties of the page, for defaults. */
export type Host = Readonly<{ protocol: string; languages: readonly string[] }>;

export type Settings = Readonly<{
  /** Origin of the server. */
  root: string;
  apiKey: string;
  userId: number;
  userInfos: Readonly<{ id: number | string; token: string; nickname: string }>;
  callback: ((...input: unknown[]) => void) | undefined;
  usesFrame: boolean;
  hasDirectory: boolean;
  isDirectoryOpen: boolean;
  template: Template;
  hasTheme: boolean;
  language: Language;
  /** Locale for dates: `en-GB`. */
  locale: string;
  /** Invalid arguments that were ignored. */
  warnings: readonly string[];
}>;

type LoaderArguments = Readonly<{
  serverDomainRoot: unknown;
  apiCCkey: unknown;
  userInfos: unknown;
  agentAppCallback: unknown;
  useFrame: unknown;
  agentParams: unknown;
}>;

/** Throws a TypeError that names the missing or invalid argument. */
export function checkArguments(input: LoaderArguments, { protocol, languages }: Host): Settings {
  const warnings: string[] = [];
  const root = rootOf(input.serverDomainRoot, protocol);
  const apiKey = textOf(input.apiCCkey, "apiCCkey");
  const user = userOf(input.userInfos);
  const callback = callbackOf(input.agentAppCallback);
  if (!isObject(input.agentParams) && input.agentParams !== undefined) {
    warnings.push("agentParams must be an object");
  }
  const params = isObject(input.agentParams) ? input.agentParams : {};
  const { culture } = params;
  const preferred = typeof culture === "string" ? [culture, ...languages] : languages;
  const language = languageOf(preferred);
  return {
    root,
    apiKey,
    ...user,
    callback,
    usesFrame: input.useFrame === true,
    hasDirectory: flagOf(params, { name: "directory", or: false }, warnings),
    isDirectoryOpen: flagOf(params, { name: "directoryStartOpen", or: false }, warnings),
    template: templateOf(params["template"], warnings),
    hasTheme: flagOf(params, { name: "useDefaultTheme", or: true }, warnings),
    language,
    locale: localeOf(preferred, language),
    warnings,
  };
}

function rootOf(input: unknown, protocol: string): string {
  if (typeof input !== "string" || input.trim() === "") {
    return refuse("serverDomainRoot is required: the address of the platform");
  }
  const url = addressOf(input.trim(), protocol);
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  return url !== undefined && isWeb
    ? url.origin
    : refuse(
        "serverDomainRoot must be an address, such as //video.example.com/ or https://video.example.com",
      );
}

/**
 * A URL without a protocol, `//host/`, becomes https even on an http page, because the token is
 * sent there; http is allowed only for a loopback host on an http page.
 */
function addressOf(text: string, protocol: string): URL | undefined {
  if (text.slice(0, 2) !== "//") {
    return parseUrl(text);
  }
  const open = parseUrl(`http:${text}`);
  return protocol === "http:" && isLocal(open) ? open : parseUrl(`https:${text}`);
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function isLocal(url: URL | undefined): boolean {
  return (
    url !== undefined && /^(?:localhost|.+\.localhost|127\.[\d.]+|\[::1\])$/u.test(url.hostname)
  );
}

function userOf(input: unknown): Pick<Settings, "userId" | "userInfos"> {
  if (!isObject(input)) {
    return refuse("userInfos is required: an object with id, token and nickname");
  }
  const { id } = input;
  const userId = typeof id === "number" || typeof id === "string" ? Number(id) : Number.NaN;
  if (!Number.isSafeInteger(userId) || userId < 1) {
    return refuse("userInfos.id is required: the userId of GET /api/v2/users/me");
  }
  const token = textOf(input["token"], "userInfos.token");
  const nickname = textOf(input["nickname"], "userInfos.nickname");
  return { userId, userInfos: { id: id as number | string, token, nickname } };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function textOf(value: unknown, name: string): string {
  return typeof value === "string" && value !== "" ? value : refuse(`${name} is required`);
}

function callbackOf(input: unknown): Settings["callback"] {
  if (input === undefined || input === null) {
    return undefined;
  }
  return typeof input === "function"
    ? (input as Settings["callback"])
    : refuse("agentAppCallback must be a function");
}

function refuse(message: string): never {
  throw new TypeError(`loadAgent: ${message}`);
}

type Switch = Readonly<{ name: string; or: boolean }>;

function flagOf(params: Record<string, unknown>, { name, or }: Switch, warnings: string[]) {
  const { [name]: input } = params;
  if (typeof input === "boolean") {
    return input;
  }
  if (input !== undefined && input !== null) {
    warnings.push(`agentParams.${name} must be true or false`);
  }
  return or;
}

function templateOf(input: unknown, warnings: string[]): Template {
  const known = templates.find((name) => name === input);
  if (known === undefined && input !== undefined && input !== null) {
    const name = typeof input === "string" ? ` ${input}` : " of that kind";
    warnings.push(`template${name} is unknown; use ${templates.join(" or ")}`);
  }
  return known ?? "default";
}

/** Adds the browser's region to a culture without one: `en` becomes `en-GB`. */
function localeOf(preferred: readonly string[], language: Language): string {
  const same = preferred.filter((tag) => tag.slice(0, 2).toLowerCase() === language);
  return same.filter(hasRegion)[0] ?? same[0] ?? language;
}

function hasRegion(tag: string): boolean {
  return tag.length > 2;
}
