/** Startup: token, styles, connection, `init`; then handles all server events. */
import type { PresenceState } from "../../src/contracts/signalling.ts";
import { createAgent } from "./agent.ts";
import type { Settings } from "./arguments.ts";
import { createBoxes, type Boxes } from "./boxes.ts";
import { createCalls, type Calls } from "./calls.ts";
import { catchUpAll } from "./catch-up.ts";
import { createDirectoryView, type DirectoryView } from "./directory-view.ts";
import { element } from "./dom.ts";
import { createNavFrame, noFrame } from "./frame.ts";
import { askWithRetry } from "./retry.ts";
import { createDirectory, type Directory } from "./presence.ts";
import { openSignal, type Ask, type Signal } from "./signal.ts";
import { loadStyles } from "./styles.ts";
import { textsOf } from "./texts.ts";
import { findTokenFault } from "./token.ts";
import type { Agent, Fire } from "./types.ts";

export type Running = Readonly<{
  destroy(): void;
  /** It has stopped or not started, so a new instance may replace it. */
  isReplaceable(): boolean;
}>;

type World = {
  readonly settings: Settings;
  readonly place: HTMLElement;
  readonly directory: Directory;
  readonly boxes: Boxes;
  readonly calls: Calls;
  readonly view: DirectoryView | undefined;
  readonly fire: Fire;
  signal: Signal | undefined;
  styles: readonly HTMLLinkElement[];
  state: PresenceState | undefined;
  isReady: boolean;
  /** Number of connects. */
  connections: number;
  /** The token check failed temporarily and is retried. */
  isWaiting: boolean;
  isOver: boolean;
};

const log = window.console;

export function start(settings: Settings): Running {
  const world = createWorld(settings);
  void begin(world);
  return {
    destroy: world.agent.destroy,
    isReplaceable: () => world.isOver || world.isWaiting,
  };
}

const offline = {
  ok: false,
  error: { kind: "dependency_down", detail: "There is no connection." },
} as const;

function createWorld(settings: Settings): World & { agent: Agent } {
  const { template, language, locale, userId, usesFrame, hasDirectory } = settings;
  const texts = textsOf(language);
  const place = element("div", {
    id: "im-agent",
    class: `im-agent im-template-${template}`,
    lang: language,
  });
  const ask: Ask = (type, input) =>
    world.signal === undefined ? Promise.resolve(offline) : world.signal.ask(type, input);
  const fire = createFire(settings.callback, () => world.agent);
  const frame = usesFrame ? createNavFrame({ fire, place }) : noFrame;
  const calls = createCalls({
    ask,
    frame,
    texts,
    root: settings.root,
    openBox: (destId) => boxes.open(destId, "ticket"),
    findBox: (destId) => boxes.find(destId, "ticket"),
    showFault: (error) => boxes.showFault(error),
  });
  const onUnread = (): void => showDirectory(world);
  const isOver = (): boolean => world.isOver;
  const common = { ask, fire, texts, language: locale, userId, place, calls };
  const boxes = createBoxes({ ...common, onUnread, isOver });
  const view = hasDirectory
    ? createDirectoryView(texts, settings.isDirectoryOpen, {
        open: (id) => void world.agent.openBox(id, { kind: "user" }),
        setPresence: (state) => void world.agent.setPresence(state),
      })
    : undefined;
  if (view !== undefined) {
    place.append(view.root);
  }
  const destroy = (): void => {
    calls.endAll();
    world.isOver = true;
    world.signal?.close();
    world.styles.forEach((link) => link.remove());
    place.remove();
  };
  const onState = (state: PresenceState): void => showState(world, state);
  const world: World & { agent: Agent } = {
    ...{ settings, place, directory: createDirectory(), boxes, calls, view, fire },
    ...{ signal: undefined, styles: [], state: undefined, isReady: false, isOver: false },
    ...{ connections: 0, isWaiting: false },
    agent: createAgent({ settings, ask, boxes, calls, destroy, onState }),
  };
  return world;
}

/** Logs exceptions of the host's callback. */
function createFire(callback: Settings["callback"], agent: () => Agent): Fire {
  return (type, params) => {
    try {
      callback?.(agent(), type, params);
    } catch (thrown) {
      log.error(`loadAgent: the callback failed at ${type}`, thrown);
    }
  };
}

async function begin(world: World): Promise<void> {
  const { settings, place } = world;
  if (!(await hasValidToken(world))) {
    return;
  }
  world.styles = await loadStyles(settings);
  await hasBody();
  if (!world.isOver) {
    document.body.append(place);
    world.signal = connect(world);
  } else {
    world.styles.forEach((link) => link.remove());
  }
}

/** Whether the token is valid; retries while the check fails. */
async function hasValidToken(world: World): Promise<boolean> {
  const { settings } = world;
  const fault = await findTokenFault({
    root: settings.root,
    origin: location.origin,
    ask: () => askForToken(settings),
    onWait: (reason) => {
      if (!world.isWaiting) {
        log.error(`loadAgent: ${reason} Trying again…`);
      }
      world.isWaiting = true;
      return !world.isOver;
    },
  });
  world.isWaiting = false;
  if (fault !== undefined && !world.isOver) {
    world.isOver = true;
    log.error(`loadAgent: ${fault}`);
  }
  return fault === undefined && !world.isOver;
}

/** Form-encoded, to avoid a CORS preflight. */
function askForToken({ root, apiKey, userId, userInfos: { token } }: Settings) {
  return fetch(`${root}/api/checkUserToken`, {
    method: "POST",
    body: new URLSearchParams({ apiKey, userId: String(userId), token }),
    credentials: "omit",
    cache: "no-store",
  });
}

/** The script may run in the head, before the body exists. */
function hasBody(): Promise<void> {
  return new Promise((resolve) => {
    if (document.body !== null) {
      resolve();
    } else {
      document.addEventListener("DOMContentLoaded", () => resolve(), { once: true });
    }
  });
}

function connect(world: World): Signal {
  const { settings, boxes, calls, directory, fire } = world;
  const { root, apiKey, userId, userInfos } = settings;
  const claim = { apiKey, userId, token: userInfos.token, state: () => world.state };
  const signal = openSignal(root, claim, {
    onConnect: () => void onConnect(world, signal.ask),
    onLost: () => boxes.all().forEach((box) => box.setConnected(false)),
    onEnd: (reason) => end(world, reason),
    message: boxes.receive,
    presence: (change) => {
      const update = directory.change(change);
      showDirectory(world);
      if (update !== undefined && world.isReady) {
        fire("updatePresence", update);
      }
    },
    state: ({ state }) => showState(world, state),
    call: calls.change,
  });
  return signal;
}

/** On the first connect and on every reconnect, which also fetches missed messages. */
async function onConnect(world: World, ask: Ask): Promise<void> {
  const { boxes, calls, directory, fire } = world;
  world.connections += 1;
  const { connections } = world;
  const isCurrent = (): boolean => !world.isOver && world.connections === connections;
  const hello = await askWithRetry(() => ask("hello", {}), isCurrent);
  if (!hello.ok || !isCurrent()) {
    return;
  }
  showState(world, hello.state);
  const updates = directory.replace(hello.users, new Date().toISOString());
  showDirectory(world);
  boxes.all().forEach((box) => box.setConnected(true));
  if (!world.isReady) {
    world.isReady = true;
    fire("init", undefined);
  }
  updates.forEach((update) => fire("updatePresence", update));
  calls.resume();
  await catchUpAll(boxes.all(), isCurrent);
}

function showState(world: World, state: PresenceState): void {
  world.state = state;
  world.view?.showState(state);
}

function showDirectory({ view, directory, boxes }: World): void {
  view?.show(directory.users(), (id) => boxes.find(id, "user")?.unread() ?? 0);
}

function end(world: World, reason: string): void {
  world.isOver = true;
  log.warn(`loadAgent: ${reason} The agent module has stopped; sign the user in again.`);
  world.boxes.all().forEach((box) => box.end());
}
