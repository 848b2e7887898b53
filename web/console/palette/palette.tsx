import { useHotkeys } from "@mantine/hooks";
import { useState } from "react";
import { loadTexts } from "../../base/i18n.ts";
import { lazyDialog } from "../../components/lazy-dialog.tsx";
import { useSingleKeys } from "../../components/single-keys.ts";
import type { CommandsDialogProps } from "./commands-dialog.tsx";
import { show, useShown } from "./shown.ts";
import { useTypeAhead } from "./use-type-ahead.ts";

type Closing = Readonly<{ onClose: () => void }>;

const [Commands] = lazyDialog<CommandsDialogProps>(async () => {
  const [module] = await Promise.all([import("./commands-dialog.tsx"), loadTexts("palette")]);
  return module.CommandsDialog;
});

const [Shortcuts] = lazyDialog<Closing>(async () => {
  const [module] = await Promise.all([import("./shortcuts-dialog.tsx"), loadTexts("palette")]);
  return module.ShortcutsDialog;
});

/** Ctrl-K or Cmd-K, even in a field; `?` opens the list of shortcuts. */
export function Palette() {
  const shown = useShown();
  const [typed, setTyped] = useState("");
  useTypeAhead(shown === "commands", setTyped);
  useHotkeys([["mod+K", () => show(shown === "commands" ? null : "commands")]], []);
  useSingleKeys([["shift+?", () => show("shortcuts")]]);
  return (
    <>
      {shown === "commands" ? <Commands {...{ typed, setTyped }} onClose={close} /> : null}
      {shown === "shortcuts" ? <Shortcuts onClose={close} /> : null}
    </>
  );
}

function close(): void {
  show(null);
}
