const paths = {
  check: "M3 8.5l3.2 3.2L13 4.8",
  cross: "M4 4l8 8M12 4l-8 8",
  minus: "M3.5 8h9",
  back: "M9.5 3.5L5 8l4.5 4.5",
} as const;

export type IconName = keyof typeof paths;

export type StateKind = "good" | "warn" | "bad" | "none";

/** Colour is never the only signal: an icon and a word accompany it. */
export function stateBadge(kind: StateKind, iconName: IconName, word: string): HTMLElement {
  return element("span", `state state-${kind}`, icon(iconName), word);
}

/** Creates an element with a class and children. Strings become text nodes, never HTML. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  if (className !== "") {
    made.className = className;
  }
  made.append(...children);
  return made;
}

export function icon(name: IconName): SVGElement {
  const namespace = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(namespace, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(namespace, "path");
  path.setAttribute("d", paths[name]);
  svg.append(path);
  return svg;
}

/** Replaces the badge with this id. */
export function replaceBadge(id: string, badge: HTMLElement): void {
  badge.classList.add("bar-end");
  badge.id = id;
  badge.setAttribute("role", "status");
  byId(id).replaceWith(badge);
}

/** Returns the element, or throws if it is missing. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) {
    throw new Error(`The page has no #${id}`);
  }
  return found;
}
