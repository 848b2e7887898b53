import { useEffect, useRef, useState } from "react";
import { t } from "../texts.ts";
import type { Person } from "./person.ts";

export type Happening = Readonly<{ id: number; text: string }>;

type Known = ReadonlyMap<string, Pick<Person, "name" | "state">>;

const shownMs = 5_000;

/** Announces arrivals, departures and raised hands for some seconds, and to screen readers. */
export function useHappenings(others: readonly Person[]): readonly Happening[] {
  const known = useRef<Known | undefined>(undefined);
  const nextId = useRef(0);
  const [shown, setShown] = useState<readonly Happening[]>([]);
  useEffect(() => {
    const texts = known.current === undefined ? [] : changesBetween(known.current, others);
    known.current = new Map(others.map((person) => [person.id, person]));
    if (texts.length === 0) {
      return;
    }
    const added = texts.map((text) => {
      nextId.current += 1;
      return { id: nextId.current, text };
    });
    setShown((before) => [...before, ...added].slice(-3));
    setTimeout(() => setShown((before) => before.filter((one) => !added.includes(one))), shownMs);
  }, [others]);
  return shown;
}

function changesBetween(known: Known, others: readonly Person[]): string[] {
  const came = others.filter(({ id }) => !known.has(id));
  const left = [...known].filter(([id]) => others.every((person) => person.id !== id));
  const raised = others.filter(
    ({ id, state }) => state.isHandRaised && known.get(id)?.state.isHandRaised === false,
  );
  return [
    ...came.map(({ name }) => t("joined_notice", { name })),
    ...left.map(([, { name }]) => t("left_notice", { name })),
    ...raised.map(({ name }) => t("hand_notice", { name })),
  ];
}
