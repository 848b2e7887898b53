/** The result of a delivery's last attempt: code or cause, explanation and colour. */
import { IconAlertTriangle, IconCircleCheck, IconCircleX, type Icon } from "@tabler/icons-react";
import { successResult } from "../../../../src/contracts/deliveries.ts";
import type { Meaning } from "../../../components/meaning.ts";
import tints from "../../../components/meaning.module.css";
import type { Words } from "../labels.ts";
import type { Row } from "./pages.ts";
import classes from "./log-table.module.css";

type ResultMeaning = Extract<Meaning, "good" | "warn" | "bad">;

const icons: Record<ResultMeaning, Icon> = {
  good: IconCircleCheck,
  warn: IconAlertTriangle,
  bad: IconCircleX,
};

export function Result({ row, words }: { row: Row; words: Words }) {
  if (row.last_result === null) {
    return "–";
  }
  const meaning = meaningOf(row);
  const Picture = icons[meaning];
  const text = textOf(row, words);
  return (
    <span className={`${classes["result"]} ${tints["ink"]}`} data-meaning={meaning} title={text}>
      <Picture size={14} aria-hidden />
      <span className={classes["text"]}>{text}</span>
    </span>
  );
}

/** A failure is critical only if no retry follows. */
function meaningOf({ last_result: result, status }: Row): ResultMeaning {
  if (result === successResult) {
    return "good";
  }
  return status === "retry" || status === "sending" ? "warn" : "bad";
}

const statusWords = {
  200: "fine",
  401: "denied",
  403: "denied",
  404: "absent",
  410: "gone",
  429: "throttled",
} as const;

/** A success needs no explanation: "204" is not "OK". */
const classWords = { 1: "other", 3: "redirect", 4: "refused", 5: "failed" } as const;

/** "503 server error", "no answer in time"; the class alone if the attempt is no longer stored. */
function textOf(row: Row, words: Words): string {
  const { last_code: code, last_error: error } = row;
  const result = words.result({ last_code: code, last_error: error });
  if (code === null) {
    return result === "" ? words.resultClass(row.last_result ?? "") : result;
  }
  const known: Readonly<Record<number, string>> = statusWords;
  const byClass: Readonly<Record<number, string>> = classWords;
  const word = known[code] ?? byClass[Math.floor(code / 100)];
  return word === undefined ? result : `${result} ${words.known(`result_word.${word}`, "")}`.trim();
}
