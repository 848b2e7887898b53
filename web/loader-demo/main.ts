/** Simulates a host system: signs an agent in and loads the agent module. */
import "../shared/base.css";
import "./demo.css";
import type { Agent } from "../loader/types.ts";
import { createTicket, enterRoom, signIn, signOut, type Me } from "./api.ts";
import { signInAsCustomer, watchCustomerForm } from "./customer.ts";
import { note } from "./log.ts";
import { reveal } from "../shared/reveal.ts";
import { language, say, translate } from "./texts.ts";

type LoadAgent = (...input: unknown[]) => void;

function byId(id: string): HTMLElement {
  return document.getElementById(id) ?? document.body;
}
function formById(id: string): HTMLFormElement {
  return byId(id) as HTMLFormElement;
}
function inputIn(form: HTMLFormElement, name: string): HTMLInputElement {
  return form.elements.namedItem(name) as HTMLInputElement;
}

// Another page of the system loads the module anew and has to know the agent. A real system would ask
// its backend for a token each time; here it is kept for this tab, until it is ended below.
const storageKey = "sightline.loader-demo";
function remember(me: Me): void {
  sessionStorage.setItem(storageKey, JSON.stringify(me));
}
function recall(): Me | undefined {
  const text = sessionStorage.getItem(storageKey);
  return text === null ? undefined : (JSON.parse(text) as Me);
}

let me: Me | undefined;
let agent: Agent | undefined;

function loadForm(): HTMLFormElement {
  return formById("load");
}
function isOn(name: string): boolean {
  return inputIn(loadForm(), name).checked;
}
// A list of choices has a value, too.
function chosen(name: string): string {
  return inputIn(loadForm(), name).value;
}

function paramsOf() {
  return {
    directory: isOn("directory"),
    directoryStartOpen: isOn("directoryStartOpen"),
    template: chosen("template"),
    useDefaultTheme: isOn("useDefaultTheme"),
    culture: chosen("culture"),
  };
}

/** The call of `loadAgent` as source code, without the token. */
function showCode(): void {
  const user = { id: me?.userId ?? 0, token: "…", nickname: me?.nickname ?? "…" };
  byId("code").textContent = [
    `<script src="${location.origin}/loaderAgent.js"></script>`,
    "<script>",
    "  loadAgent(",
    `    "//${location.host}/",`,
    `    "${me?.apiKey ?? "…"}",`,
    `    ${JSON.stringify(user)},`,
    "    (agent, type, params) => { … },",
    `    ${String(isOn("useFrame"))},`,
    `    ${JSON.stringify(paramsOf(), null, 2).replace(/\n/gu, "\n    ")},`,
    "  );",
    "</script>",
  ].join("\n");
}

function loadScript(): Promise<LoadAgent> {
  return new Promise((resolve, reject) => {
    const known = (window as unknown as { loadAgent?: LoadAgent }).loadAgent;
    if (known !== undefined) {
      resolve(known);
      return;
    }
    const script = document.createElement("script");
    script.src = "/loaderAgent.js";
    script.addEventListener("load", () =>
      resolve((window as unknown as { loadAgent: LoadAgent }).loadAgent),
    );
    script.addEventListener("error", () => reject(new Error("/loaderAgent.js")));
    document.head.append(script);
  });
}

function setButtons(): void {
  const isLoaded = agent !== undefined;
  byId("destroy").toggleAttribute("disabled", !isLoaded);
  byId("ticket").toggleAttribute("disabled", me === undefined);
  loadForm()
    .querySelector("button")
    ?.toggleAttribute("disabled", me === undefined || isLoaded);
  document
    .querySelectorAll("#methods button")
    .forEach((button) => button.toggleAttribute("disabled", !isLoaded));
}

function onCallback(input: Agent, type: string, params: unknown): void {
  agent = input;
  note(type, params);
  setButtons();
}

async function load(): Promise<void> {
  if (me === undefined) {
    return;
  }
  const { userId: id, token, nickname, apiKey } = me;
  const loadAgent = await loadScript();
  const root = `//${location.host}/`;
  loadAgent(root, apiKey, { id, token, nickname }, onCallback, isOn("useFrame"), paramsOf());
}

function showWho(): void {
  byId("signed-in").textContent = me === undefined ? "" : `${say("signedIn")} ${me.nickname}`;
  showCode();
  setButtons();
}

function watchSignIn(): void {
  const form = formById("sign-in");
  const valueOf = (name: string) => inputIn(form, name).value;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    signIn(valueOf("login"), valueOf("password")).then(
      (found) => {
        me = found;
        remember(found);
        showWho();
      },
      (thrown: unknown) => {
        byId("signed-in").textContent = `${say("refused")} ${(thrown as Error).message}`;
      },
    );
  });
}

function destField(): HTMLInputElement {
  return byId("dest") as HTMLInputElement;
}
function destId(): number {
  return Number(destField().value);
}

const methods: readonly [name: string, run: (to: Agent) => unknown][] = [
  ["openBox(destId)", (to) => to.openBox(destId())],
  ["minimize(destId)", (to) => to.minimize(destId())],
  ["maximize(destId)", (to) => to.maximize(destId())],
  ["sendMessage(destId, …)", (to) => to.sendMessage(destId(), "Hello from the CRM")],
  ["call(destId)", (to) => to.call(destId())],
  ["invite({email})", (to) => to.invite({ email: "john.doe@example.com" })],
  ["setPresence(offline)", (to) => to.setPresence("offline")],
  ["setPresence(online)", (to) => to.setPresence("online")],
  ["closeBox(destId)", (to) => to.closeBox(destId())],
];

function showMethods(): void {
  for (const [name, run] of methods) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button mono";
    button.textContent = name;
    button.addEventListener("click", () => {
      if (agent !== undefined) {
        void run(agent);
      }
    });
    byId("methods").append(button);
  }
}

async function makeTicket(): Promise<void> {
  if (me !== undefined) {
    const ticket = await createTicket(me.token, me.mail);
    destField().value = String(ticket.id);
    (byId("customer-page") as HTMLAnchorElement).href = `/v/${ticket.secret}`;
    signInAsCustomer(await enterRoom(ticket));
    await agent?.openBox(ticket.id);
  }
}

/** Signing the agent out revokes the token. */
async function leave(): Promise<void> {
  const token = me?.token;
  agent?.destroy();
  [agent, me] = [undefined, undefined];
  sessionStorage.removeItem(storageKey);
  showWho();
  if (token !== undefined) {
    await signOut(token);
  }
}

function watchPage(): void {
  loadForm().addEventListener("change", showCode);
  loadForm().addEventListener("submit", (event) => {
    event.preventDefault();
    void load();
  });
  byId("destroy").addEventListener("click", () => {
    leave().catch((thrown: unknown) => note("DELETE /api/token", (thrown as Error).message));
  });
  byId("ticket").addEventListener("click", () => {
    makeTicket().catch((thrown: unknown) => note("POST /api/tickets", (thrown as Error).message));
  });
}

function showPlace(): void {
  const place =
    new URLSearchParams(location.search).get("page") === "orders" ? "orders" : "contacts";
  document.querySelector(`[data-place="${place}"]`)?.setAttribute("aria-current", "page");
  byId("place").textContent = say(place === "orders" ? "placeOrders" : "placeContacts");
}

async function showExamples(): Promise<void> {
  const home = (await (await fetch("/home.json")).json()) as { examples: { agent: string } };
  const login = inputIn(formById("sign-in"), "login");
  login.value ||= home.examples.agent;
}

translate();
showPlace();
showMethods();
inputIn(loadForm(), "culture").value = language;
me = recall();
watchSignIn();
watchPage();
watchCustomerForm();
showWho();
reveal();
void showExamples();
