import { Alert, Button, Stack, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useEffect } from "react";
import { backoffMs } from "../base/backoff.ts";
import { connection } from "../base/connection.ts";
import { useTranslation } from "../base/i18n.ts";
import { FailedImportError, mayLoadLater, NewVersionError } from "../base/load-files.ts";
import { failedLoadCount, forgetFailures } from "../base/loader.ts";
import { ErrorBox } from "./error-box.tsx";

type LoadFaultProps = Readonly<{ error: unknown; onRetry: () => void }>;

/**
 * Replaces a part that failed to render. A failed load is retried automatically in place; other
 * errors offer a page reload.
 */
export function LoadFault({ error, onRetry }: LoadFaultProps) {
  const mayRetry = mayLoadLater(error);
  const retry = (): void => {
    forgetFailures();
    onRetry();
  };
  useRetries(mayRetry, retry);
  return error instanceof NewVersionError || error instanceof FailedImportError ? (
    <NeedsReload error={error} />
  ) : (
    <ErrorBox error={error} onRetry={mayRetry ? retry : reload} />
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

/** The error can only be fixed by a page reload. */
function NeedsReload({ error }: { error: NewVersionError | FailedImportError }) {
  const { t } = useTranslation();
  const kind = error instanceof NewVersionError ? "new_version" : "stuck";
  return (
    <Alert color="accent" variant="light" title={t(`reload.${kind}`)} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t("reload.text")}</Text>
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
