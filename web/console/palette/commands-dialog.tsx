import { Kbd, Loader, Modal, Text, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";
import { useTranslation } from "../../base/i18n.ts";
import { matching, moveSelection, type Command } from "./match.ts";
import classes from "./palette.module.css";
import { useCommands } from "./use-commands.ts";
import { useFound } from "./use-found.ts";
import { fieldName } from "./use-type-ahead.ts";

/** Commands come before search results, so that Enter after "log" opens the page. */
const groups = ["actions", "pages", "found"] as const;

type ListProps = Readonly<{
  id: string;
  commands: readonly Command[];
  chosen: number;
  onChoose: (nth: number) => void;
  onRun: (command: Command) => void;
}>;

export type CommandsDialogProps = Readonly<{
  typed: string;
  setTyped: (text: string) => void;
  onClose: () => void;
}>;

/** The command palette: pages, actions and search results. */
export function CommandsDialog({ typed, setTyped, onClose }: CommandsDialogProps) {
  const { t } = useTranslation("palette");
  // By id, because later results may be inserted above.
  const [chosen, setChosen] = useState<string>();
  const { commands, isLooking } = useRows(typed);
  const id = useId();
  const chosenAt = commands.findIndex((command) => command.id === chosen);
  const nth = commands.length === 0 ? -1 : Math.max(0, chosenAt);
  const choose = (index: number): void => setChosen(commands[index]?.id);
  const run = (command: Command | undefined): void => {
    if (command !== undefined) {
      onClose();
      command.run();
    }
  };
  const move = (event: KeyboardEvent): void => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (by !== 0) {
      event.preventDefault();
      choose(moveSelection(nth, by, commands.length));
    } else if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      event.preventDefault();
      run(commands[nth]);
    }
  };
  return (
    <Modal.Root opened onClose={onClose} yOffset="12vh" size="lg" padding={0} centered={false}>
      <Modal.Overlay />
      <Modal.Content aria-label={t("title")}>
        <TextInput
          data-autofocus
          name={fieldName}
          role="combobox"
          aria-label={t("title")}
          aria-expanded
          aria-controls={id}
          aria-autocomplete="list"
          {...(nth >= 0 ? { "aria-activedescendant": rowId(id, nth) } : {})}
          size="md"
          variant="unstyled"
          className={classes["field"] ?? ""}
          leftSection={<IconSearch size={17} aria-hidden />}
          rightSection={isLooking && typed !== "" ? <Loader size={14} aria-hidden /> : null}
          placeholder={t("hint")}
          maxLength={255}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setChosen(undefined);
          }}
          onKeyDown={move}
        />
        <List id={id} commands={commands} chosen={nth} onChoose={choose} onRun={run} />
        <Status count={commands.length} isLooking={isLooking} />
        <Help />
      </Modal.Content>
    </Modal.Root>
  );
}

/** The matching rows in display order. */
function useRows(typed: string): { commands: Command[]; isLooking: boolean } {
  const known = useCommands();
  const found = useFound(typed);
  const own = matching(known, typed);
  const all = [...found.commands, ...own];
  const inOrder = groups.flatMap((group) => all.filter((command) => command.group === group));
  return { commands: inOrder, isLooking: found.isLooking };
}

function List({ commands, ...props }: ListProps) {
  const { t } = useTranslation("palette");
  return (
    <div role="listbox" id={props.id} aria-label={t("results")} className={classes["list"]}>
      {groups.map((group) => {
        const own = commands.filter((command) => command.group === group);
        return own.length === 0 ? null : (
          <div key={group} role="group" aria-label={t(`groups.${group}`)}>
            <Text size="xs" c="dimmed" className={classes["group"] ?? ""} aria-hidden>
              {t(`groups.${group}`)}
            </Text>
            {own.map((command) => (
              <Row key={command.id} {...props} command={command} nth={commands.indexOf(command)} />
            ))}
          </div>
        );
      })}
    </div>
  );
}

type RowProps = Omit<ListProps, "commands"> & Readonly<{ command: Command; nth: number }>;

function Row({ id, command, nth, chosen, onChoose, onRun }: RowProps) {
  const row = useRef<HTMLDivElement>(null);
  const isChosen = nth === chosen;
  useEffect(() => {
    if (isChosen) {
      row.current?.scrollIntoView({ block: "nearest" });
    }
  }, [isChosen]);
  return (
    // The keyboard is on the field above, as in every list that a field leads.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- Enter in the field runs it
    <div
      ref={row}
      role="option"
      id={rowId(id, nth)}
      aria-selected={isChosen}
      tabIndex={-1}
      className={classes["row"]}
      onPointerMove={() => onChoose(nth)}
      onClick={() => onRun(command)}
    >
      <span className={classes["label"]}>{command.label}</span>
      {command.note === undefined ? null : <span className={classes["note"]}>{command.note}</span>}
    </div>
  );
}

function rowId(listId: string, nth: number): string {
  return `${listId}-${nth}`;
}

function Status({ count, isLooking }: { count: number; isLooking: boolean }) {
  const { t } = useTranslation("palette");
  return (
    <span className="only-heard" role="status">
      {isLooking ? "" : t("count", { count })}
    </span>
  );
}

function Help() {
  const { t } = useTranslation("palette");
  return (
    <div className={classes["help"]} aria-hidden>
      <span>
        <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> {t("keys.choose")}
      </span>
      <span>
        <Kbd size="xs">Enter</Kbd> {t("keys.run")}
      </span>
      <span>
        <Kbd size="xs">Esc</Kbd> {t("keys.close")}
      </span>
    </div>
  );
}
