// What a person says of an answer: right, or what was wrong with it.

import { h, fill, iconButton, announce } from "./dom.js";
import { call, encode } from "./api.js";
import { openDialog, sentenceOf } from "./dialogs.js";
import { t } from "./i18n.js";

const WRONG = ["wrong", "wrong source", "should have abstained"];
const keyOf = (verdict) => `feedback.${verdict.replaceAll(" ", "_")}`;

/** Stores feedback on a turn. */
export async function sendFeedback(turn, body) {
  await call("POST", "feedback", { conversation: turn.answer.conversation, turn: turn.id, ...body });
  turn.feedback = body;
  announce(t("feedback.stored"));
}

async function withdraw(turn) {
  await call("DELETE", `conversations/${encode(turn.answer.conversation)}/turns/${encode(turn.id)}/feedback`);
  turn.feedback = null;
  announce(t("feedback.withdrawn"));
}

/** The two buttons below an answer; a turn that is not stored has none. */
export function feedbackButtons(turn) {
  const element = h("span", { class: "feedback", role: "group", "aria-label": t("feedback.label") });
  const verdictOf = () => turn.feedback?.verdict;

  function draw() {
    const verdict = verdictOf();
    const wrong = WRONG.includes(verdict);
    fill(
      element,
      iconButton("up", t("feedback.right"), right, { "aria-pressed": String(verdict === "right") }),
      iconButton("down", wrong ? t(keyOf(verdict)) : t("feedback.not_right"), () => openForm(turn, draw), { "aria-pressed": String(wrong) }),
    );
  }

  async function right() {
    try {
      if (verdictOf() === "right") await withdraw(turn);
      else await sendFeedback(turn, { verdict: "right" });
      draw();
      element.querySelector("button").focus();
    } catch (error) {
      announce(sentenceOf(error));
    }
  }

  draw();
  return element;
}

function openForm(turn, stored) {
  const dialog = openDialog({ title: t("feedback.title"), className: "narrow" });
  const choices = WRONG.map((verdict, at) =>
    h("label", { class: "choice" }, h("input", { type: "radio", name: "verdict", value: verdict, checked: at === 0 }), t(keyOf(verdict))));
  const expected = h("textarea", { rows: "2", dir: "auto", maxlength: "10000" });
  const comment = h("textarea", { rows: "2", dir: "auto", maxlength: "10000" });
  const failed = h("p", { class: "failed", role: "alert", dir: "auto", hidden: true });
  dialog.body.append(
    h("form", {
      onsubmit: async (event) => {
        event.preventDefault();
        const body = { verdict: new FormData(event.target).get("verdict") };
        if (expected.value.trim()) body.expected = expected.value.trim();
        if (comment.value.trim()) body.comment = comment.value.trim();
        try {
          await sendFeedback(turn, body);
          dialog.close();
          stored();
        } catch (error) {
          failed.hidden = false;
          failed.textContent = sentenceOf(error);
        }
      },
    },
    h("fieldset", {}, h("legend", {}, t("feedback.what")), choices),
    h("label", {}, h("span", {}, t("feedback.expected")), expected),
    h("label", {}, h("span", {}, t("feedback.comment")), comment),
    failed,
    h("p", { class: "hint" }, t("feedback.use")),
    h("div", { class: "buttons" }, h("button", { type: "button", onclick: dialog.close }, t("dialog.cancel")), h("button", { type: "submit", class: "primary" }, t("feedback.send")))),
  );
  dialog.body.querySelector("input").focus();
}
