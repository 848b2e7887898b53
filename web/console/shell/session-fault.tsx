import { Text } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { LoadFault } from "../../components/load-fault.tsx";
import { Mark } from "./mark.tsx";
import classes from "./shell.module.css";

type SessionFaultProps = Readonly<{ error: unknown; reset: () => void }>;

/**
 * The frame of the console while the session cannot be read, for instance because of too many
 * requests. The navigation depends on the session, so it is empty.
 */
export function SessionFault({ error, reset }: SessionFaultProps) {
  const router = useRouter();
  const retry = (): void => {
    reset();
    void router.invalidate(); // reads the session again
  };
  return (
    <div className={classes["frame"]}>
      <header className={classes["header"]}>
        <Text component="a" href="/tickets" className={classes["brand"] ?? ""}>
          <Mark />
          Sightline
        </Text>
      </header>
      <div className={classes["nav"]} />
      <main className={classes["content"]}>
        <LoadFault error={error} onRetry={retry} />
      </main>
    </div>
  );
}
