import { element } from "./dom.ts";
import { sharedTexts } from "./shared-texts.ts";

const copiedMs = 1600;

/** A button that copies the current value of `read` and confirms it. */
export function copyButton(read: () => string, label?: string): HTMLButtonElement {
  const { texts } = sharedTexts();
  const name = label ?? texts.copy;
  const button = element("button", "button copy", name);
  button.type = "button";
  const copy = async (): Promise<void> => {
    button.textContent = (await copyText(read())) ? texts.copied : texts.not_copied;
    setTimeout(() => {
      button.textContent = name;
    }, copiedMs);
  };
  button.addEventListener("click", () => void copy());
  return button;
}

/**
 * Copies a text to the clipboard. Pages on plain HTTP and some browsers support only the old API.
 */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyWithSelection(text);
  }
}

function copyWithSelection(text: string): boolean {
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
}
