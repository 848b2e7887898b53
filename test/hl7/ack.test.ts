import { expect } from "chai";
import { buildAck, dataFault } from "../../src/hl7/ack.ts";
import { parseMessage } from "../../src/hl7/message.ts";
import { segmentsOf } from "../support/hl7.ts";

const newForm = ["ERR", "", "MSH^1^10", "101^Required field missing^HL70357", "E"];
const oldForm = ["ERR", "MSH^1^10^101&Required field missing&HL70357"];

describe("an HL7 acknowledgement", () => {
  const answerTo = (version: string) => {
    const { header } = parseMessage(`MSH|^~\\&|EHR|WARD|||||SIU^S12|C1|P|${version}`);
    const fault = dataFault(101, "MSH^1^10", "The message has no control id.");
    const ack = buildAck({ header, controlId: "A1", at: new Date(0), fault });
    const { MSH = [], ERR = [] } = segmentsOf(ack);
    return { version: MSH[11], type: MSH[8], error: ERR.slice(0, 5) };
  };

  it("uses the sender's version in all parts", () => {
    expect(answerTo("2.5")).to.deep.equal({ version: "2.5", type: "ACK^S12^ACK", error: newForm });
    expect(answerTo("2.4")).to.deep.equal({ version: "2.4", type: "ACK^S12^ACK", error: oldForm });
    expect(answerTo("2.3")).to.deep.equal({ version: "2.3", type: "ACK^S12", error: oldForm });
  });

  it("uses version 2.5.1 in all parts if the sender's is missing or invalid", () => {
    const ours = { version: "2.5.1", type: "ACK^S12^ACK", error: newForm };
    expect(["", "2", "9.9.9.9", "x"].map(answerTo)).to.deep.equal([ours, ours, ours, ours]);
  });
});
