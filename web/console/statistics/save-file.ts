/** Hands bytes to the browser as a file of this name. */
export const saveFile = (content: Blob, name: string): void => {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // A browser that has not begun to read yet would get nothing.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
};
