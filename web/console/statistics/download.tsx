import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";

/**
 * A file as the service writes it. The browser fetches it by itself, so that it goes to the disk as
 * it comes, however large it is; the service names it.
 */
export function Download({
  path,
  query,
  label,
}: Readonly<{ path: string; query: Readonly<Record<string, string>>; label: string }>) {
  return (
    <Button
      component="a"
      href={`${path}?${new URLSearchParams(query).toString()}`}
      download
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
    >
      {label}
    </Button>
  );
}
