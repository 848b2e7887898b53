import { expect } from "chai";
import { useTimeZone } from "../../support/time-zone.ts";
import { textsOf } from "../../../web/information/texts.ts";
import { describeTime } from "../../../web/information/describe-time.ts";

function at(day: number, hour: number, minute = 0): Date {
  return new Date(2026, 10, day, hour, minute);
}
const english = { locale: "en-GB", texts: textsOf.en };

describe("the text of an appointment", () => {
  const when = (from: Date, to: Date, now: Date): string =>
    describeTime({ from, to, now }, english);

  it('says "now" during the appointment', () => {
    expect(when(at(22, 14), at(22, 14, 30), at(22, 14, 5))).to.equal("Now, until 14:30");
    expect(when(at(22, 14), at(22, 14, 30), at(22, 14))).to.equal("Now, until 14:30");
  });

  it('says "today" or "tomorrow" by calendar day, not by hours', () => {
    expect(when(at(22, 14), at(22, 15), at(22, 9))).to.equal("Today, 14:00 to 15:00");
    expect(when(at(23, 1), at(23, 2), at(22, 23))).to.equal("Tomorrow, 01:00 to 02:00");
    expect(when(at(24, 1), at(24, 2), at(22, 23))).to.equal("Tuesday 24 November, 01:00 to 02:00");
  });

  describe("in Paris, on the night of the change to summer time", () => {
    useTimeZone("Europe/Paris");
    it('says "tomorrow" for Sunday, which has 23 hours, not for Monday', () => {
      const march = (day: number, hour: number, minute = 0) => new Date(2026, 2, day, hour, minute);
      const saturday = march(28, 23, 30);
      expect(when(march(29, 9), march(29, 10), saturday)).to.equal("Tomorrow, 09:00 to 10:00");
      expect(when(march(30, 9), march(30, 10), saturday)).to.equal(
        "Monday 30 March, 09:00 to 10:00",
      );
    });
  });

  it("is in the customer's language", () => {
    const french = { locale: "fr", texts: textsOf.fr };
    expect(describeTime({ from: at(22, 14), to: at(22, 15), now: at(22, 9) }, french)).to.equal(
      "Aujourd’hui, de 14:00 à 15:00",
    );
  });
});
