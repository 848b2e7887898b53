import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";

/** A download link. The browser streams the file to disk; the API sets its name. */
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
