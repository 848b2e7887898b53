/** The rows of the ticket statistics. */
import { expect } from "chai";
import {
  aFilm,
  aPhone,
  aPicture,
  consent,
  createTicket,
  move,
  openLink,
  succeed,
  upload,
  whoIs,
} from "../calls.ts";
import type { Service } from "../service.ts";

const iPhone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 " +
  "(KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";

const statisticsKeys = [
  "ID",
  "Ref",
  "Description",
  "Priorité",
  "Demandeur",
  "Contact",
  "Etat",
  "Assigné à",
  "Groupe",
  "Type",
  "Date de début de session",
  "Date de fin",
  "Répondues",
  "Nombre d'invitations",
  "Nombre d'invitations email",
  "Nombre d'invitations SMS",
  "Nombre Appels",
  "Durée totale des appels (secondes)",
  "Photos",
  "Vidéos",
  "Identifiant",
  "Service",
  "Scans",
  "Appareil",
  "Système d'exploitation",
  "Navigateur",
];

/** `2026-11-21 02:57:32`. */
function inZone(timestamp: string, timeZone: string): string {
  return new Intl.DateTimeFormat("sv-SE", {
    timeZone,
    dateStyle: "short",
    timeStyle: "medium",
  }).format(new Date(timestamp));
}

export function statisticsTests(service: Service): void {
  describe("a statistics row", () => {
    const read = async (format: string) => {
      const { enterpriseId } = await whoIs(service.admin);
      const path = `/api/enterprises/${String(enterpriseId)}/tickets-stats`;
      return service.admin.call(`GET ${path}?format=${format}`);
    };

    const rowOf = async (id: number): Promise<Record<string, unknown>> => {
      const { body } = await read("JSON");
      return body.find((row: { ID: number }) => row.ID === id) as Record<string, unknown>;
    };

    it("TS-01..12, TS-14..16, TS-21, TS-22: of a ticket without a session", async () => {
      const ticket = await createTicket(service, {
        reference: "R-7",
        description: "Leak",
        priority: "4",
        firstname: "Ann",
        lastname: "Martin",
        email: "ann@guests.example",
        phone: aPhone,
        type: "plumbing",
        invite: "1",
      });
      const me = await whoIs(service.agent);
      const { enterpriseId } = me;
      const enterprise = await succeed(service.admin, `GET /api/enterprises/${enterpriseId}`);
      const services = await succeed(
        service.admin,
        `GET /api/services?service_key=${ticket.service_key}`,
      );
      const user = await succeed(service.admin, `GET /api/users/${me.userId}`);
      const row = await rowOf(ticket.id);
      expect(Object.keys(row)).to.deep.equal(statisticsKeys);
      expect(row).to.deep.equal({
        ID: ticket.id,
        Ref: "R-7",
        Description: "Leak",
        Priorité: "Urgente",
        Demandeur: "Ann Martin",
        Contact: `ann@guests.example, ${aPhone}`,
        Etat: "Invité",
        "Assigné à": `${user.firstname} ${user.lastname}`,
        Groupe: user.groups[0]?.name ?? "",
        Type: "plumbing",
        "Date de début de session": inZone(ticket.start_time, enterprise.time_zone),
        "Date de fin": inZone(ticket.end_time, enterprise.time_zone),
        Répondues: "Non",
        "Nombre d'invitations": 2,
        "Nombre d'invitations email": 1,
        "Nombre d'invitations SMS": 1,
        "Nombre Appels": 0,
        "Durée totale des appels (secondes)": 0,
        Photos: 0,
        Vidéos: 0,
        Identifiant: service.agent.login,
        Service: services.data[0].name,
        Scans: 0,
        Appareil: "",
        "Système d'exploitation": "",
        Navigateur: "",
      });
    });

    it("TS-04, TS-05, TS-07: priorities, names and states in French, or states as codes", async () => {
      const made: Record<string, number> = {};
      const add = async (state: string, values: Record<string, string>, actions: string[]) => {
        const { id } = await createTicket(service, values);
        for (const action of actions) {
          await move(service, id, action);
        }
        made[state] = id;
      };
      await add("new", { priority: "1", name: "Mrs Martin" }, []);
      await add("open", { priority: "2" }, ["approve"]);
      await add("opened", { priority: "3", lastname: "Martin" }, ["take"]);
      await add("invited", { priority: "4", invite: "1" }, []);
      await add("rejected", {}, ["reject"]);
      await add("closed", {}, ["cancel"]);
      const expected = [];
      for (const id of Object.values(made)) {
        const row = await rowOf(id);
        expected.push([row["Priorité"], row["Demandeur"], row["Etat"]]);
      }
      expect(expected).to.deep.equal([
        ["Basse", "Mrs Martin", "Nouveau"],
        ["Normale", "", "Ouvert"],
        ["Haute", "Martin", "Pris en charge"],
        ["Urgente", "", "Invité"],
        ["Normale", "", "Rejeté"],
        ["Normale", "", "Clos"],
      ]);
      const { body } = await read("JSON&labels=code");
      const codes = body.slice(-6).map((row: { Etat: string }) => row.Etat);
      expect(codes).to.deep.equal(Object.keys(made));
    });

    it("TS-10, TS-19, TS-20, TS-24..26: type null when empty, photos, films, the customer's device", async () => {
      const ticket = await createTicket(service);
      const fields = { ticketId: ticket.id };
      const film = { name: "leak.mp4", type: "video/mp4", bytes: aFilm() };
      await upload(service.agent, "/api/medias", aPicture(), fields);
      await upload(service.agent, "/api/medias", aPicture(), fields);
      await upload(service.agent, "/api/medias", film, fields);
      const customer = await openLink(service, ticket);
      await consent(customer, iPhone);
      const row = await rowOf(ticket.id);
      expect([row["Type"], row["Photos"], row["Vidéos"]]).to.deep.equal([null, 2, 1]);
      expect(row["Appareil"]).to.match(/^Smartphone\b/u);
      expect(row["Système d'exploitation"]).to.equal("iOS 17.5");
      expect(row["Navigateur"]).to.equal("Safari 17");
    });

    it("TS-27: the answer is an array of rows, in the order of their ids", async () => {
      const first = await createTicket(service);
      const second = await createTicket(service);
      const { body } = await read("JSON");
      const ids: number[] = body.map(({ ID }: { ID: number }) => ID);
      expect(ids).to.deep.equal(ids.toSorted((a, b) => a - b));
      expect(ids.slice(-2)).to.deep.equal([first.id, second.id]);
    });

    it("the CSV header has the same keys in the same order, and no cell is a formula", async () => {
      const ticket = await createTicket(service, { reference: "=1+1" });
      const { headers, text } = await read("csv");
      expect(headers.get("content-type")).to.equal("text/csv; charset=utf-8");
      const lines = text.replace(/^\uFEFF/u, "").split("\r\n");
      expect(lines[0]).to.equal(statisticsKeys.join(";"));
      const cells = lines.find((line) => line.startsWith(`${ticket.id};`))?.split(";") ?? [];
      expect(cells.slice(0, 4)).to.deep.equal([String(ticket.id), "'=1+1", "", "Normale"]);
      expect(cells).to.have.lengthOf(statisticsKeys.length);
    });
  });
}
