/** The element in which a page is drawn. */
export function pageRoot(): Element {
  const root = document.querySelector("#root");
  if (root === null) {
    throw new Error("The page has no #root");
  }
  return root;
}

/**
 * The page is drawn: takes away the notice that it starts. `start.js` objects where a file is
 * missing; it may be missing itself.
 */
export function endStart(): void {
  if (window.dispatchEvent(new Event("sightline:started", { cancelable: true }))) {
    document.querySelector("#start")?.remove();
  }
}
