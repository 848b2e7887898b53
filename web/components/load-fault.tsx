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
 * Instead of what could not be shown. What could not be loaded is loaded again by itself, in the same
 * place; whatever else is wrong is mended by loading the page again, if at all.
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

/** Tries again by itself: as soon as the platform is back, else after pauses that grow. */
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

/** Something was to be loaded, and needs the whole page to be loaded again. */
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
