import { expect } from "chai";
import type { Attempt, DeliveryInFull } from "../../../../../web/console/deliveries/model.ts";
import {
  addressAt,
  isChangedSince,
  type Changes,
} from "../../../../../web/console/deliveries/story/address.ts";

const now = "https://new.example";
const delivery = (deleted = false): DeliveryInFull =>
  ({ webhook: { id: 7, origin: now, deleted } }) as unknown as DeliveryInFull;
const attempt = { started: "2026-11-20T10:00:00.000Z" } as Attempt;

const entry = (id: number, minute: number, objectId: string, from?: string) => ({
  id,
  objectId,
  created: `2026-11-20T10:0${minute}:00.000Z`,
  changes: from === undefined ? { name: { from: "A", to: "B" } } : { url: { from, to: now } },
});
const changes = (entries: readonly ReturnType<typeof entry>[], isAll = true): Changes =>
  ({ entries, isAll }) as unknown as Changes;

describe("the address of an attempt", () => {
  const at = (told: Changes | undefined, deleted?: boolean) =>
    addressAt(delivery(deleted), attempt, told);

  it("is that of now where nothing but other settings and webhooks were changed since", () => {
    expect(
      at(changes([entry(1, 1, "7"), entry(2, 2, "8", "https://x.example/•••")])),
    ).to.deep.equal({
      origin: now,
      standing: "same",
    });
  });

  it("is that before the first change of the address after it, whatever the order", () => {
    const told = changes([
      entry(3, 2, "7", "https://second.example/•••"),
      entry(2, 1, "7", "https://first.example/•••"),
    ]);
    expect(at(told)).to.deep.equal({ origin: "https://first.example", standing: "then" });
  });

  it("is said to be that of now, or the last one, where nobody tells what was before", () => {
    for (const told of [undefined, changes([], false), changes([entry(1, 1, "7", "•••")])]) {
      expect(at(told)).to.deep.equal({ origin: now, standing: "now" });
      expect(at(told, true)).to.deep.equal({ origin: now, standing: "last" });
    }
  });

  it("is asked for where the webhook was changed since, is not listed, or lies elsewhere", () => {
    const is = (today: Parameters<typeof isChangedSince>[2]) =>
      isChangedSince(delivery(), attempt, today);
    expect(is(undefined)).to.equal(true);
    expect(is({ url: `${now}/hooks`, modified: "2026-11-20T10:00:01.000Z" })).to.equal(true);
    expect(is({ url: "https://other.example/", modified: "2026-11-20T09:00:00.000Z" })).to.equal(
      true,
    );
    expect(is({ url: `${now}/hooks`, modified: "2026-11-20T09:00:00.000Z" })).to.equal(false);
  });
});
