import { expect } from "chai";
import { defaultSurvey } from "../../src/contracts/directory.ts";
import { useDatabase } from "../support/database.ts";
import { useGuests } from "../support/guests.ts";
import { randomUUID } from "node:crypto";

const day = 86_400_000;
const satisfied = { questions: [{ id: 1, answer: "Satisfied" }] };

describe("the survey of a session", () => {
  const database = useDatabase();
  const harness = useGuests(database);

  const visit = async () => {
    const { id, secret } = await harness.invite();
    const { guest, post, get } = await harness.enter(secret);
    const addSession = (isOver: boolean) => {
      harness.features.clock.advance(1_000);
      const at = harness.features.clock.now();
      const end = { ended_at: at, end_reason: "ended", finished_at: at, billing_seconds: 60 };
      return database.db("sessions").insert({
        id: randomUUID(),
        enterprise_id: guest.enterpriseId,
        conversation_id: guest.conversationId,
        started_at: at,
        ...(isOver ? end : {}),
      });
    };
    return { id, post, get, addSession };
  };

  const setSurvey = (survey: unknown) =>
    database
      .db("services")
      .where({ enterprise_id: harness.fixture.enterpriseId })
      .update({ survey: survey === null ? null : JSON.stringify(survey) });

  afterEach(async () => {
    await setSurvey(null);
  });

  it("is the default one, and due when the session is over", async () => {
    const { get, addSession } = await visit();
    expect((await get("survey")).status).to.equal(404);
    await addSession(true);
    const { status, text } = await get("survey");
    expect(status).to.equal(200);
    expect(text).to.equal(
      JSON.stringify({
        questions: [{ id: 1, label: defaultSurvey.questions[0]?.label }],
        answers: ["Not satisfied", "Satisfied", "Very satisfied"],
        has_feedback: true,
      }),
    );
    expect((await get("visit")).body.is_survey_due).to.equal(true);
  });

  it("writes one timeline entry in the documented form, even if repeated", async () => {
    const { id, post, get, addSession } = await visit();
    await addSession(true);
    await setSurvey({
      enabled: true,
      questions: [{ label: { en: "Was it good?", fr: "Bien ?" } }, { label: { en: "Fast?" } }],
      feedback: true,
    });
    const body = {
      questions: [
        { id: 2, answer: "Not satisfied" },
        { id: 1, answer: "Very satisfied" },
      ],
      feedback: "Too slow.\nBut nice.",
    };
    const answers = await Promise.all([body, body, satisfied].map((json) => post("survey", json)));
    expect(answers.map(({ status }) => status)).to.deep.equal([204, 204, 204]);
    expect((await post("survey", body)).status).to.equal(204);
    const events = await harness.eventsSince(id);
    expect(events).to.have.length(1);
    const { conversationId, surveyAnswer } = events[0]?.props ?? {};
    expect(JSON.stringify(events[0]?.props)).to.equal(
      JSON.stringify({
        eventType: "survey.answered",
        eventCode: 50,
        ticketId: id,
        conversationId,
        requestor: { email: "jane@example.com", phone: "", firstname: "Jane", lastname: "" },
        surveyAnswer,
      }),
    );
    const { id: _session, ...row } = (await harness.rowOf("survey_answers", id)) ?? {};
    expect({ questions: row["questions"], feedback: row["feedback"] }).to.deep.equal(surveyAnswer);
    expect((await get("survey")).status).to.equal(404);
    expect((await get("visit")).body.is_survey_due).to.equal(false);
  });

  it("stores the labels with the answers, and an empty text by default", async () => {
    const { id, post, addSession } = await visit();
    await addSession(true);
    await post("survey", satisfied);
    const [sent] = await harness.eventsSince(id);
    expect(JSON.stringify(sent?.props["surveyAnswer"])).to.equal(
      JSON.stringify({
        questions: [{ id: 1, label: defaultSurvey.questions[0]?.label, answer: "Satisfied" }],
        feedback: "",
      }),
    );
  });

  for (const [what, body] of [
    ["an unknown question", { questions: [{ id: 2, answer: "Satisfied" }] }],
    ["an answer outside the list", { questions: [{ id: 1, answer: "satisfied" }] }],
    ["no answer", { questions: [] }],
    [
      "two answers to one question",
      { questions: [1, 1].map((id) => ({ id, answer: "Satisfied" })) },
    ],
    ["a text that is too long", { ...satisfied, feedback: "x".repeat(2_001) }],
  ] as const) {
    it(`rejects ${what}`, async () => {
      const { id, post, addSession } = await visit();
      await addSession(true);
      expect((await post("survey", body)).body).to.include({ status: 400, code: 10 });
      expect(await harness.eventsSince(id)).to.deep.equal([]);
      expect(await harness.rowOf("survey_answers", id)).to.equal(undefined);
    });
  }

  it("accepts no text if it asks for none, and no answers if it is disabled", async () => {
    const { post, get, addSession } = await visit();
    await addSession(true);
    await setSurvey({ ...defaultSurvey, feedback: false });
    expect((await post("survey", { ...satisfied, feedback: "x" })).status).to.equal(400);
    await setSurvey({ ...defaultSurvey, enabled: false });
    expect((await get("survey")).status).to.equal(404);
    expect((await post("survey", satisfied)).status).to.equal(409);
  });

  it("is due for one day after the session, and not during it", async () => {
    const { id, post, addSession } = await visit();
    expect((await post("survey", satisfied)).status).to.equal(409);
    await addSession(true);
    harness.features.clock.advance(day + 1);
    expect((await post("survey", satisfied)).status).to.equal(409);
    await addSession(false);
    expect((await post("survey", satisfied)).status).to.equal(409);
    expect(await harness.eventsSince(id)).to.deep.equal([]);
  });

  it("is due again after the next session", async () => {
    const { id, post, addSession } = await visit();
    await addSession(true);
    await post("survey", satisfied);
    await addSession(true);
    await post("survey", satisfied);
    expect(await harness.eventNamesSince(id)).to.deep.equal(["survey.answered", "survey.answered"]);
  });
});
