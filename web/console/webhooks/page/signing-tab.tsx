import { Stack } from "@mantine/core";
import { Samples } from "./samples.tsx";
import { Signing } from "./signing.tsx";
import type { Webhook } from "../types.ts";

/** Signing secrets and keys, with code samples for verification. */
export function SigningTab({ webhook }: { webhook: Webhook }) {
  return (
    <Stack gap="md">
      <Signing webhook={webhook} />
      {webhook.mode === "push" ? <Samples signatures={webhook.signatures} /> : null}
    </Stack>
  );
}
