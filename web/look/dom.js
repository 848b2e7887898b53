/** An element with its class and its children. Text always goes in as text, never as HTML. */
export const element = (tag, className, ...children) => {
  const made = document.createElement(tag);
  if (className !== "") {
    made.className = className;
  }
  made.append(...children);
  return made;
};

const paths = {
  check: "M3 8.5l3.2 3.2L13 4.8",
  cross: "M4 4l8 8M12 4l-8 8",
  minus: "M3.5 8h9",
  back: "M9.5 3.5L5 8l4.5 4.5",
};

export const icon = (name) => {
  const namespace = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(namespace, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(namespace, "path");
  path.setAttribute("d", paths[name]);
  svg.append(path);
  return svg;
};

/** Colour never stands alone: an icon and a word are always with it. */
export const stateBadge = (kind, iconName, word) =>
  element("span", `state state-${kind}`, icon(iconName), word);

const copiedMs = 1600;

const copyOldWay = (text) => {
  const area = element("textarea", "");
  area.value = text;
  area.style.position = "fixed";
  area.style.opacity = "0";
  document.body.append(area);
  area.select();
  // oxlint-disable-next-line typescript/no-deprecated -- the only way on pages without https
  const isCopied = document.execCommand("copy");
  area.remove();
  return isCopied;
};

/** Puts the text in the clipboard. Pages on plain http, and some browsers, know the old way only. */
const copyText = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyOldWay(text);
  }
};

/** A button that copies what `read` gives at that moment and says so. */
export const copyButton = (read, label = "Copy") => {
  const button = element("button", "button copy", label);
  button.type = "button";
  button.addEventListener("click", async () => {
    button.textContent = (await copyText(read())) ? "Copied" : "Failed";
    setTimeout(() => {
      button.textContent = label;
    }, copiedMs);
  });
  return button;
};
