import { Stack } from "@mantine/core";
import { Samples } from "./samples.tsx";
import { Signing } from "./signing.tsx";
import type { Webhook } from "../types.ts";

/** What signs, and how a receiver checks it. */
export function SigningTab({ webhook }: { webhook: Webhook }) {
  return (
    <Stack gap="md">
      <Signing webhook={webhook} />
      {webhook.mode === "push" ? <Samples signatures={webhook.signatures} /> : null}
    </Stack>
  );
}
