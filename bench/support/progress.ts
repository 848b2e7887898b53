/**
 * Shows the current part, the number of parts left and the remaining time: as lines, and as a
 * status line on a terminal.
 */
export type PlannedPart = { name: string; seconds: number };

export type Progress = {
  begin(index: number): void;
  /** Ends the part and returns its duration. */
  end(): number;
  /** Prints above the status line. */
  print(text: string): void;
};

/** `1:05`, `1:02:10`. */
export function showSeconds(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const hours = Math.floor(whole / 3_600);
  const minutes = Math.floor(whole / 60) % 60;
  const rest = String(whole % 60).padStart(2, "0");
  return hours === 0
    ? `${minutes}:${rest}`
    : `${hours}:${String(minutes).padStart(2, "0")}:${rest}`;
}

export type ProgressState = {
  parts: readonly PlannedPart[];
  index: number;
  /** Seconds since the start of the run and of the part. */
  elapsed: number;
  ofPart: number;
};

/** A part that exceeds its expected duration counts as nearly finished. */
export function secondsLeft({ parts, index, ofPart }: ProgressState): number {
  const own = Math.max(0, (parts[index]?.seconds ?? 0) - ofPart);
  return parts.slice(index + 1).reduce((sum, { seconds }) => sum + seconds, own);
}

export function showProgress(state: ProgressState): string {
  const { parts, index, elapsed } = state;
  return (
    `[${index + 1}/${parts.length}] ${parts[index]?.name ?? ""} · elapsed ${showSeconds(elapsed)}` +
    ` · about ${showSeconds(secondsLeft(state))} left`
  );
}

type Output = Pick<NodeJS.WriteStream, "isTTY"> & { write: (text: string) => unknown };

const clearLine = "\r\u001B[K";

export function startProgress(
  parts: readonly PlannedPart[],
  { output, now = () => performance.now() }: { output: Output; now?: () => number },
): Progress {
  const startedAt = now();
  let partAt = startedAt;
  let index = 0;
  let timer: NodeJS.Timeout | undefined;
  const seconds = (since: number): number => (now() - since) / 1_000;
  const status = (): string =>
    showProgress({ parts, index, elapsed: seconds(startedAt), ofPart: seconds(partAt) });
  const refresh = (): void => {
    if (timer !== undefined) {
      output.write(`${clearLine}${status()}`);
    }
  };
  return {
    begin: (next) => {
      index = next;
      partAt = now();
      output.write(`\n${status()}\n`);
      if (output.isTTY) {
        timer = setInterval(refresh, 1_000);
        timer.unref();
      }
    },
    end: () => {
      if (timer !== undefined) {
        clearInterval(timer);
        timer = undefined;
        output.write(clearLine);
      }
      return seconds(partAt);
    },
    print: (text) => {
      output.write(`${timer === undefined ? "" : clearLine}${text}\n`);
      refresh();
    },
  };
}
