/** Emails, SMS and HL7 messages. */
import { aTenantHl7, aTenantMessage } from "../../support/tenant-objects.ts";
import { never, nobody, type Target } from "./target.ts";

export function messageTargets(channel: "sms" | "email"): readonly Target[] {
  return [
    {
      name: "its enterprise's",
      needs: "all",
      make: async ({ db, own }) => ({ messageId: (await aTenantMessage(db, own, channel)).id }),
    },
    {
      name: "one of the other channel",
      needs: undefined,
      make: async ({ db, own }) => {
        const other = channel === "sms" ? "email" : "sms";
        return { messageId: (await aTenantMessage(db, own, other)).id };
      },
    },
    {
      name: "one that holds a secret link",
      needs: undefined,
      make: async ({ db, own }) => ({
        messageId: (await aTenantMessage(db, own, channel, { is_private: true })).id,
      }),
    },
    {
      name: "another enterprise's",
      needs: undefined,
      make: async ({ db, foreign }) => ({
        messageId: (await aTenantMessage(db, foreign, channel)).id,
      }),
    },
    never({ messageId: nobody }),
  ];
}

export const hl7Targets: readonly Target[] = [
  {
    name: "its enterprise's",
    needs: "all",
    make: async ({ db, own }) => ({ messageId: await aTenantHl7(db, own) }),
  },
  {
    name: "another enterprise's",
    needs: undefined,
    make: async ({ db, foreign }) => ({ messageId: await aTenantHl7(db, foreign) }),
  },
  never({ messageId: nobody }),
];
