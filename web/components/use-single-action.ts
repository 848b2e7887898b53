import { useMutation, type UseMutationOptions } from "@tanstack/react-query";
import { useRef } from "react";
import { wait } from "../shared/wait.ts";

/** The longest double click, by the defaults of desktop systems. */
const doubleClickMs = 500;

/**
 * A mutation for a button that must act once per double click. `isPending` alone is not enough: it
 * changes only after the click event, and a fast response would enable the button between the two
 * clicks.
 */
export function useSingleAction<Result>(options: UseMutationOptions<Result>) {
  const isRunning = useRef(false);
  const { mutate, isPending } = useMutation({
    ...options,
    onSettled: async (...settled) => {
      await Promise.allSettled([options.onSettled?.(...settled), wait(doubleClickMs)]);
      isRunning.current = false;
    },
  });
  const run = (): void => {
    if (!isRunning.current) {
      isRunning.current = true;
      mutate();
    }
  };
  return { run, isPending };
}
