/** Calls at most once per interval: the first at once, of all others only the newest. */
export type Throttle<Value> = Readonly<{
  call(value: Value): void;
  /** Sends what waits, now. */
  flush(): void;
}>;

export function createThrottle<Value>(
  intervalMs: number,
  run: (value: Value) => void,
): Throttle<Value> {
  let waiting: { value: Value } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const runWaiting = (): void => {
    timer = undefined;
    if (waiting !== undefined) {
      const { value } = waiting;
      waiting = undefined;
      timer = setTimeout(runWaiting, intervalMs);
      run(value);
    }
  };
  return {
    call: (value) => {
      waiting = { value };
      if (timer === undefined) {
        runWaiting();
      }
    },
    flush: () => {
      clearTimeout(timer);
      runWaiting();
    },
  };
}
