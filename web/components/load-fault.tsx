import { Alert, Button, Stack, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useEffect } from "react";
import { backoffMs } from "../base/backoff.ts";
import { connection } from "../base/connection.ts";
import { useTranslation } from "../base/i18n.ts";
import {
  FailedImportError,
  FileProblem,
  mayLoadLater,
  NewVersionError,
} from "../base/load-files.ts";
import { asProblem } from "../base/problem.ts";
import { failedLoadCount, forgetFailures } from "../base/loader.ts";
import { ErrorBox } from "./error-box.tsx";

type LoadFaultProps = Readonly<{ error: unknown; onRetry: () => void }>;

/**
 * Replaces a part that failed to render. A failed load is retried automatically in place; other
 * errors offer a page reload.
 */
export function LoadFault({ error, onRetry }: LoadFaultProps) {
  const mayRetry = mayLoadLater(error);
  const isBusy = asProblem(error).status === 429;
  const retry = (): void => {
    forgetFailures();
    onRetry();
  };
  useRetries(mayRetry, retry);
  return isOfFile(error) ? (
    <Reload error={error} isRetried={mayRetry} />
  ) : (
    <ErrorBox error={error} onRetry={mayRetry || isBusy ? retry : reload} />
  );
}

/** Retries automatically: when the server is reachable again, otherwise with backoff. */
function useRetries(isOn: boolean, retry: () => void): void {
  useEffect(() => {
    if (!isOn) {
      return undefined;
    }
    const timer = setTimeout(retry, backoffMs(Math.max(failedLoadCount(), 1)));
    const unsubscribe = connection.subscribe(() => {
      if (!connection.state().isAway) {
        retry();
      }
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  });
}

function isOfFile(error: unknown): boolean {
  return [NewVersionError, FailedImportError, FileProblem].some((kind) => error instanceof kind);
}

/** A page reload fixes the error, even if the retries do not. */
function Reload({ error, isRetried }: { error: unknown; isRetried: boolean }) {
  const { t } = useTranslation();
  const title = error instanceof NewVersionError ? "new_version" : "stuck";
  return (
    <Alert color="accent" variant="light" title={t(`reload.${title}`)} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t(isRetried ? "reload.retried" : "reload.text")}</Text>
        <Button size="xs" leftSection={<IconRefresh size={14} aria-hidden />} onClick={reload}>
          {t("reload.action")}
        </Button>
      </Stack>
    </Alert>
  );
}

function reload(): void {
  window.location.reload();
}
