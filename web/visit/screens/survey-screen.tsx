/** Three smileys for each question. */
import { useEffect, useState, type ReactNode } from "react";
import { surveyAnswers, type Survey, type SurveyAnswer } from "../guest-types.ts";
import { statusOf } from "../guest-api.ts";
import { useWords } from "../texts.ts";
import type { TextKey } from "../text-key.ts";
import type { VisitControl } from "../use-visit.ts";
import { Loading } from "./loading.tsx";
import { Button, Fault, Screen } from "./screen.tsx";
import { Smiley } from "./smiley.tsx";
import styles from "./survey-screen.module.css";

export function SurveyScreen({ visit }: Readonly<{ visit: VisitControl }>): ReactNode {
  const { t } = useWords();
  const [survey, setSurvey] = useState<Survey>();
  const [isUnread, setUnread] = useState(false);
  const { api, finish } = visit;
  const read = (): void => {
    setUnread(false);
    api.readSurvey().then(setSurvey, (thrown: unknown) => {
      const status = statusOf(thrown);
      if (status === 0 || status === 429 || status >= 500) {
        setUnread(true);
      } else {
        finish(); // answered in another tab, or too late: there is nothing to ask any more
      }
    });
  };
  // oxlint-disable-next-line react/exhaustive-deps -- `read` is new in each render
  useEffect(read, [api]);
  if (survey !== undefined) {
    return <SurveyForm visit={visit} survey={survey} />;
  }
  if (!isUnread) {
    return <Loading />;
  }
  return (
    <Screen
      title={t("failed")}
      text={t("failed_text")}
      actions={
        <>
          <Button isMain onPress={read}>
            {t("retry")}
          </Button>
          <Button onPress={finish}>{t("survey_skip")}</Button>
        </>
      }
    />
  );
}

type FormProps = Readonly<{ visit: VisitControl; survey: Survey }>;

function SurveyForm({ visit, survey }: FormProps): ReactNode {
  const { t } = useWords();
  const { api, run, finish, isBusy, hasFailed, link } = visit;
  const [answers, setAnswers] = useState<Readonly<Record<number, SurveyAnswer>>>({});
  const [feedback, setFeedback] = useState("");
  const [isReminded, setReminded] = useState(false);
  const answered = survey.questions.flatMap(({ id }) => {
    const answer = answers[id];
    return answer === undefined ? [] : [{ id, answer }];
  });
  const isComplete = answered.length === survey.questions.length;
  const send = (): void => {
    if (!isComplete) {
      setReminded(true);
      return;
    }
    void run(async () => {
      const text = feedback.trim();
      await api.answerSurvey({ questions: answered, ...(text === "" ? {} : { feedback: text }) });
      finish();
    });
  };
  return (
    <Screen
      title={t("survey_title")}
      text={t("survey_text", { enterprise: link.enterprise_name })}
      actions={
        <>
          {isReminded && !isComplete ? <Fault>{t("survey_missing")}</Fault> : null}
          {hasFailed ? <Fault>{t("failed_text")}</Fault> : null}
          <Button isMain isBusy={isBusy} onPress={send}>
            {t("survey_send")}
          </Button>
          <Button onPress={finish}>{t("survey_skip")}</Button>
        </>
      }
    >
      {survey.questions.map((question) => (
        <Question
          key={question.id}
          question={question}
          answer={answers[question.id]}
          onAnswer={(answer) => setAnswers((before) => ({ ...before, [question.id]: answer }))}
        />
      ))}
      {survey.has_feedback ? (
        <label className={styles.feedback}>
          {t("survey_feedback")}
          <textarea
            rows={3}
            maxLength={2_000}
            value={feedback}
            onChange={({ target }) => setFeedback(target.value)}
          />
        </label>
      ) : null}
    </Screen>
  );
}

const labelOf: Readonly<Record<SurveyAnswer, TextKey>> = {
  "Not satisfied": "answer_not_satisfied",
  Satisfied: "answer_satisfied",
  "Very satisfied": "answer_very_satisfied",
};

type QuestionProps = Readonly<{
  question: Survey["questions"][number];
  answer: SurveyAnswer | undefined;
  onAnswer: (answer: SurveyAnswer) => void;
}>;

function Question({ question, answer, onAnswer }: QuestionProps): ReactNode {
  const { t, language } = useWords();
  const { id, label } = question;
  return (
    <fieldset className={styles.question}>
      <legend>{label[language] ?? label["en"] ?? Object.values(label)[0]}</legend>
      <div className={styles.answers}>
        {surveyAnswers.map((one) => (
          <label key={one} className={styles.answer} data-checked={answer === one ? "" : undefined}>
            <input
              type="radio"
              name={`question-${id}`}
              checked={answer === one}
              onChange={() => onAnswer(one)}
            />
            <Smiley answer={one} />
            <span>{t(labelOf[one])}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
