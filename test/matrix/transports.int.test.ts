import { expect } from "chai";
import fc from "fast-check";
import { tinyPng } from "../support/media.ts";
import { multipart } from "../support/multipart.ts";
import { expectFieldFault, expectProblem } from "../support/problem-shape.ts";
import { useWholeApi, type ApiAnswer, type ApiCall } from "../support/whole-api.ts";
import { expectSound } from "./bad-input.ts";
import { aSubject, byteSubjects, formSubjects, routeOf } from "./subjects.ts";
import { useFixture } from "./fixture.ts";

const picture = { name: "photo.png", type: "image/png", data: tinyPng };

describe("bad files and messages", () => {
  const api = useWholeApi();
  const fixture = useFixture(api);

  const send = async (
    name: string,
    change: (right: ApiCall) => Partial<ApiCall>,
  ): Promise<ApiAnswer> => {
    const { operation, call } = await aSubject(fixture.get, name);
    return api.call(operation, { ...call, ...change(call) });
  };

  for (const name of byteSubjects) {
    describe(name, () => {
      it("rejects oversized ones with a 413", async () => {
        const { maxBodyBytes = 256 * 1_024 } = routeOf(api.routes, name);
        const raw = Buffer.alloc(maxBodyBytes + 1, "x");
        expectProblem(await send(name, () => ({ raw })), "too_large");
      });

      it("rejects other media types and encodings with a 415", async () => {
        for (const type of ["image/png", "multipart/form-data; boundary=x", "application/xml"]) {
          const headers = { "content-type": type };
          expectProblem(await send(name, () => ({ headers })), "unsupported_media_type", type);
        }
        const gzip = await send(name, ({ headers }) => ({
          headers: { ...headers, "content-encoding": "gzip" },
        }));
        expectProblem(gzip, "unsupported_media_type", "gzip");
      });

      it("never fails with a 500 for random bytes", async () => {
        await fc.assert(
          fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (raw) => {
            expectSound(await send(name, () => ({ raw })), Buffer.from(raw).toString("hex"));
          }),
          { numRuns: 15 },
        );
      });

      it("never fails with a 500 for a message with one changed byte", async () => {
        await fc.assert(
          fc.asyncProperty(fc.nat(), fc.nat(255), async (at, byte) => {
            const corrupt = ({ raw = "" }: ApiCall): Partial<ApiCall> => {
              const bytes = Buffer.from(raw as Uint8Array);
              bytes[at % Math.max(bytes.length, 1)] = byte;
              return { raw: bytes };
            };
            expectSound(await send(name, corrupt), `${at} ${byte}`);
          }),
          { numRuns: 15 },
        );
      });
    });
  }

  for (const name of formSubjects) {
    describe(name, () => {
      /** A form with the fields of the valid call and these additional ones. */
      const form = async (
        fields: Record<string, string | number>,
        file: Parameters<typeof multipart>[1] = picture,
      ): Promise<ApiAnswer> => {
        const { operation, call, ids } = await aSubject(fixture.get, name);
        const { ticketId } = ids;
        const place = ticketId === undefined ? {} : { ticketId };
        return api.call(operation, { ...call, ...multipart({ ...place, ...fields }, file) });
      };

      it("rejects anything but a form with a 415 or a 400", async () => {
        for (const type of [
          "application/json",
          "application/x-www-form-urlencoded",
          "text/plain",
        ]) {
          const answer = await send(name, () => ({ raw: "{}", headers: { "content-type": type } }));
          expectProblem(answer, "unsupported_media_type", type);
        }
        for (const type of ["multipart/form-data", "multipart/form-data; boundary="]) {
          const answer = await send(name, () => ({ headers: { "content-type": type } }));
          expect(answer.status, answer.text).to.be.oneOf([400, 415]);
        }
      });

      it("names missing, unknown and invalid parts", async () => {
        const bare = await send(name, () => multipart({}));
        expect(expectFieldFault(bare)).to.include("file");
        const wrong: Record<string, string>[] = [
          { colour: "red" },
          { constructor: "x" },
          { kind: "selfie" },
          { title: "a\u0000b" },
          { title: "x".repeat(256) },
          { description: "x".repeat(2_001) },
          { latitude: "91" },
          { latitude: "north" },
          { longitude: "1e9" },
        ];
        for (const fields of wrong) {
          const answer = await form({ latitude: 1, longitude: 1, ...fields });
          expect(expectFieldFault(answer, JSON.stringify(fields))).to.include.members(
            Object.keys(fields),
          );
        }
      });

      it("rejects a file of an unknown type, and an empty one", async () => {
        const script = {
          name: "a.html",
          type: "text/html",
          data: Buffer.from("<script>1</script>"),
        };
        expectProblem(await form({}, script), "unsupported_media_type");
        const empty = { ...picture, data: Buffer.alloc(0) };
        expect((await form({}, empty)).status).to.be.oneOf([400, 415]);
      });

      it("never fails with a 500 for a form that is truncated or has a changed byte", async () => {
        const spoilt = fc.tuple(fc.nat(), fc.nat(255), fc.boolean());
        await fc.assert(
          fc.asyncProperty(spoilt, async ([at, byte, isTruncated]) => {
            const corrupt = ({ raw = "" }: ApiCall): Partial<ApiCall> => {
              const bytes = Buffer.from(raw as Uint8Array);
              bytes[at % bytes.length] = byte;
              return { raw: isTruncated ? bytes.subarray(0, at % bytes.length) : bytes };
            };
            expectSound(await send(name, corrupt), `${at} ${byte} ${isTruncated}`);
          }),
          { numRuns: 25 },
        );
      });
    });
  }
});
