/** Creates elements without `innerHTML`. */

const paths = {
  minimize: "M5 12h14",
  maximize: "M5 15l7-7 7 7",
  close: "M6 6l12 12M18 6L6 18",
  call: "M4 7h11v10H4zM15 11l5-3v8l-5-3",
  text: "M4 5h16v11H10l-5 4v-4H4z",
  large: "M9 4H4v5M15 4h5v5M9 20H4v-5M15 20h5v-5",
  tab: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  send: "M4 12l16-8-6 16-3-7z",
  people:
    "M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM3 20a6 6 0 0 1 12 0M16 11a3 3 0 1 0-1-5.8M17 14a6 6 0 0 1 4 6",
} as const;

/** An icon button with an accessible name. */
export function iconButton(
  name: keyof typeof paths,
  label: string,
  onClick?: () => void,
): HTMLButtonElement {
  const made = element("button", {
    type: "button",
    class: `im-button im-button-${name}`,
    title: label,
    "aria-label": label,
  });
  made.append(icon(name));
  if (onClick !== undefined) {
    made.addEventListener("click", onClick);
  }
  return made;
}

const svg = "http://www.w3.org/2000/svg";

function icon(name: keyof typeof paths): SVGElement {
  const made = document.createElementNS(svg, "svg");
  made.setAttribute("viewBox", "0 0 24 24");
  // For hosts that do not load the theme.
  made.setAttribute("width", "18");
  made.setAttribute("height", "18");
  made.setAttribute("aria-hidden", "true");
  made.setAttribute("class", "im-icon");
  const path = document.createElementNS(svg, "path");
  path.setAttribute("d", paths[name]);
  made.append(path);
  return made;
}

export function textButton(label: string, onClick: () => void): HTMLButtonElement {
  const made = element("button", { type: "button", class: "im-text-button" }, [label]);
  made.addEventListener("click", onClick);
  return made;
}

type Attributes = Readonly<Record<string, string>>;

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  children: readonly (Node | string)[] = [],
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  Object.keys(attributes).forEach((name) => made.setAttribute(name, attributes[name] ?? ""));
  made.append(...children);
  return made;
}
