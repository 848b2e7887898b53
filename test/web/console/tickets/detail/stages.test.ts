import { expect } from "chai";
import { ticketStates } from "../../../../../src/contracts/events.ts";
import { refusalOf, stagesOf } from "../../../../../web/console/tickets/detail/stages.ts";

function shownStages(state: (typeof ticketStates)[number]): string {
  return stagesOf(state)
    .map(({ progress, ended }) => ended ?? progress)
    .join(" ");
}

describe("the stages of a ticket", () => {
  it("are past, present or future, depending on the state", () => {
    expect(shownStages("new")).to.equal("present future future future future");
    expect(shownStages("invited")).to.equal("past present future future future");
    expect(shownStages("inprogress")).to.equal("past past present future future");
    expect(shownStages("closed")).to.equal("past past past past present");
  });

  it("show an early end", () => {
    expect(shownStages("declined")).to.equal("past declined future future future");
    expect(shownStages("rejected")).to.equal("past past rejected future future");
  });

  it("have exactly one present stage in every state", () => {
    for (const state of ticketStates) {
      const present = stagesOf(state).filter(({ progress }) => progress === "present");
      expect(present, state).to.have.length(1);
    }
  });
});

describe("the refusal of an invitation", () => {
  const sent = "ticket.invitationSent";
  const resent = "ticket.invitationResent";
  const notClicked = "ticket.invitationNotclicked";
  const declined = "ticket.invitationDeclined";
  const clicked = "ticket.invitationClicked";

  it("is the answer to the last invitation", () => {
    expect(refusalOf([sent, declined])).to.equal(declined);
    expect(refusalOf([sent, notClicked])).to.equal(notClicked);
    expect(refusalOf([sent, declined, resent, notClicked])).to.equal(notClicked);
    expect(refusalOf([sent, clicked, declined])).to.equal(declined);
    expect(refusalOf([sent, clicked, sent, declined])).to.equal(declined);
  });

  it("does not count after another invitation, or once the customer opened it", () => {
    expect(refusalOf([])).to.equal(undefined);
    expect(refusalOf([sent, declined, sent])).to.equal(undefined);
    expect(refusalOf([sent, declined, resent])).to.equal(undefined);
    expect(refusalOf([sent, declined, clicked])).to.equal(undefined);
  });

  it("is no missed invitation of a customer who is there", () => {
    const came = [sent, clicked, resent, "ticket.invitationAccepted", "session.established"];
    expect(refusalOf([...came, notClicked])).to.equal(undefined);
    expect(refusalOf([sent, clicked, resent, notClicked])).to.equal(notClicked);
  });
});
