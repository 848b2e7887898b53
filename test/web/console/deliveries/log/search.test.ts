import { expect } from "chai";
import {
  chooseAction,
  filtersOf,
  hasFilters,
  readSearch,
  toLogQuery,
} from "../../../../../web/console/deliveries/log/search.ts";

const now = new Date("2026-11-22T15:30:00.250Z");

describe("the log filters in the address", () => {
  it("are parsed as they were written, and invalid ones are ignored", () => {
    expect(readSearch({ status: "retry,dead", replay: " 7", other: "x", text: " " })).to.deep.equal(
      {
        status: "retry,dead",
        replay: "7",
      },
    );
  });

  it("are sent to the API with the period as its start, and without the open delivery", () => {
    expect(toLogQuery({ period: "hour", replay: "7", delivery: "3" }, now)).to.deep.equal({
      since: "2026-11-22T14:30:00Z",
      replay: 7,
    });
    expect(toLogQuery({ since: "2026-11-01T00:00:00Z", replay: "x" }, now)).to.deep.equal({
      since: "2026-11-01T00:00:00Z",
    });
  });

  it("request all failures, or the selected results", () => {
    const { result = "", ...rest } = toLogQuery({ failures: "1", status: "dead", tail: "1" }, now);
    expect(rest).to.deep.equal({ status: "dead" });
    expect(result.split(",")).to.include.members(["3xx", "4xx", "5xx", "tls", "other"]);
    expect(result.split(",")).not.to.include("2xx");
    expect(result.length).to.be.at.most(255);
    const chosen = { failures: "1", result: "2xx,5xx,dns" };
    expect(toLogQuery(chosen, now).result?.split(",")).to.have.members(["5xx", "dns"]);
    expect(toLogQuery({ result: "2xx,5xx" }, now).result).to.equal("2xx,5xx");
  });

  it("exclude the open delivery and the tail", () => {
    expect(hasFilters({ delivery: "3", tail: "1" })).to.equal(false);
    expect(hasFilters({ failures: "1" })).to.equal(true);
    expect(filtersOf({ delivery: "3", tail: "1", status: "dead" })).to.deep.equal({
      status: "dead",
    });
  });
});

describe("the filter by an action on an object", () => {
  it("keeps the id of the same object, not of another one", () => {
    const search = { object: "ticket", objectId: "42" };
    const ticket = { eventType: undefined, event: "update", object: "ticket" };
    expect(chooseAction(search, "ticket.update")).to.deep.equal(ticket);
    const media = { eventType: undefined, event: "create", object: "media", objectId: undefined };
    expect(chooseAction(search, "media.create")).to.deep.equal(media);
  });
});
