/** Messages and webhooks. */
import { aHouseWebhook } from "../../support/house.ts";
import { aHouseHl7, aHouseMessage } from "../../support/house-objects.ts";
import { never, nobody, type Target } from "./target.ts";

const idsOf = ({ id, deliveryId }: { id: number; deliveryId: number }) => ({
  webhookId: id,
  deliveryId,
});

export const webhookTargets: readonly Target[] = [
  {
    name: "its enterprise's",
    needs: "all",
    make: async ({ db, own }) => idsOf(await aHouseWebhook(db, own)),
  },
  {
    name: "a deleted one",
    needs: undefined,
    make: async ({ db, own }) => idsOf(await aHouseWebhook(db, own, { isDeleted: true })),
  },
  {
    name: "another enterprise's",
    needs: undefined,
    make: async ({ db, foreign }) => idsOf(await aHouseWebhook(db, foreign)),
  },
  never({ webhookId: nobody, deliveryId: nobody }),
];

export const deliveryTargets: readonly Target[] = [
  ...webhookTargets,
  {
    name: "another enterprise's, asked for below its own webhook",
    needs: undefined,
    make: async ({ db, own, foreign }) => ({
      webhookId: (await aHouseWebhook(db, own)).id,
      deliveryId: (await aHouseWebhook(db, foreign)).deliveryId,
    }),
  },
  {
    name: "its own, asked for below another of its webhooks",
    needs: undefined,
    make: async ({ db, own }) => ({
      webhookId: (await aHouseWebhook(db, own)).id,
      deliveryId: (await aHouseWebhook(db, own)).deliveryId,
    }),
  },
];

export const messageTargets = (channel: "sms" | "email"): readonly Target[] => [
  {
    name: "its enterprise's",
    needs: "all",
    make: async ({ db, own }) => ({ messageId: (await aHouseMessage(db, own, channel)).id }),
  },
  {
    name: "one of the other channel",
    needs: undefined,
    make: async ({ db, own }) => {
      const other = channel === "sms" ? "email" : "sms";
      return { messageId: (await aHouseMessage(db, own, other)).id };
    },
  },
  {
    name: "one that holds a secret link",
    needs: undefined,
    make: async ({ db, own }) => ({
      messageId: (await aHouseMessage(db, own, channel, { is_private: true })).id,
    }),
  },
  {
    name: "another enterprise's",
    needs: undefined,
    make: async ({ db, foreign }) => ({
      messageId: (await aHouseMessage(db, foreign, channel)).id,
    }),
  },
  never({ messageId: nobody }),
];

export const hl7Targets: readonly Target[] = [
  {
    name: "its enterprise's",
    needs: "all",
    make: async ({ db, own }) => ({ messageId: await aHouseHl7(db, own) }),
  },
  {
    name: "another enterprise's",
    needs: undefined,
    make: async ({ db, foreign }) => ({ messageId: await aHouseHl7(db, foreign) }),
  },
  never({ messageId: nobody }),
];
