import { expect } from "chai";
import {
  deprecatedSessionEventTypes,
  sessionEventAttributes,
  sessionEventCodes,
  sessionEventTypes,
} from "../../src/contracts/session-events.ts";

/** The reference, row by row. Integrators depend on these values: a row never changes. */
const reference: [number, string, string[]][] = [
  [1, "ticket.new", ["agent"]],
  [2, "ticket.approved", ["agent"]],
  [3, "ticket.assigned", ["agent"]],
  [4, "ticket.completed", ["agent"]],
  [5, "ticket.cancelled", ["agent"]],
  [6, "ticket.closed", ["agent"]],
  [7, "ticket.priorityChanged", ["agent", "oldPriority", "newPriority"]],
  [8, "ticket.sessionStarted", []],
  [10, "ticket.invitationSent", ["requestor"]],
  [11, "ticket.invitationResent", ["requestor"]],
  [12, "ticket.invitationAccepted", ["requestor"]],
  [13, "ticket.invitationDeclined", ["requestor"]],
  [14, "ticket.invitationClicked", ["requestor"]],
  [15, "ticket.invitationNotclicked", ["requestor"]],
  [16, "ticket.invitationExpired", []],
  [20, "consent.accepted", []],
  [21, "geo.ansAllowed", ["geoloc"]],
  [22, "geo.ansDisallowed", []],
  [23, "mediaDevice.allowed", ["requestor"]],
  [24, "mediaDevice.disallowed", ["requestor"]],
  [25, "mediaDevice.cameraAllowed", ["requestor"]],
  [26, "mediaDevice.cameraDisallowed", ["requestor"]],
  [27, "mediaDevice.micAllowed", ["requestor"]],
  [28, "mediaDevice.micDisallowed", ["requestor"]],
  [30, "session.established", ["requestor"]],
  [31, "session.agentContacted", ["agent"]],
  [32, "session.agentLeft", ["agent"]],
  [33, "session.userLeft", ["requestor"]],
  [40, "media.pictureTaken", ["mediaId"]],
  [41, "media.OCRDone", ["text"]],
  [42, "media.pictureSent", ["mediaId"]],
  [50, "survey.answered", ["requestor", "surveyAnswer"]],
];

describe("the types of session events", () => {
  it("are the 32 of the reference, with their codes and attributes, in order", () => {
    const found = sessionEventTypes.map((type) => [
      sessionEventCodes[type],
      type,
      sessionEventAttributes[type],
    ]);
    expect(found).to.deep.equal(reference);
    expect(found).to.have.length(32);
  });

  it("have one code each", () => {
    expect(new Set(Object.values(sessionEventCodes)).size).to.equal(32);
  });

  it("contain one deprecated type", () => {
    expect(deprecatedSessionEventTypes).to.deep.equal(["ticket.invitationExpired"]);
  });
});
