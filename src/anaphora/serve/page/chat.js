// The open conversation: its turns, the question field, and the answer that arrives.

import { h, fill, icon, iconButton, copyText, announce } from "./dom.js";
import { answerBody, asText, certainty, isCourtesy, isWritten, otherSections, plainText, sourceList } from "./answer.js";
import { call, events, Problem } from "./api.js";
import { sentenceOf } from "./dialogs.js";
import { feedbackButtons, sendFeedback } from "./feedback.js";
import { languageName, listed, t } from "./i18n.js";
import { closePanel } from "./panel.js";
import { alternatives, choose, historyBefore, path, renameTurn, state } from "./state.js";

const SHOWN = 40; // turns that are drawn at first; the others on demand
const DRAFT = "anaphora.draft";
const RETRIES = 3;
const LONGEST = 20_000;

let transcript;
let composer;
let field;
let sendButton;
let page; // what the page does: { openSource, openInspector, inspect, answered, readOnly }
let running = null;
let counter = 0;
let shownFrom = 0;

/** Builds the conversation's part of the page. */
export function buildChat(actions) {
  page = actions;
  transcript = h("div", { id: "transcript", class: "transcript" });
  field = h("textarea", {
    id: "question", rows: "1", dir: "auto", maxlength: String(LONGEST), placeholder: t("chat.placeholder"), "aria-label": t("chat.question"),
    autocomplete: "off", enterkeyhint: "send", onkeydown: keyInField, oninput: fieldChanged,
  });
  sendButton = h("button", { type: "submit", class: "send" });
  composer = h("form", { class: "composer", onsubmit: submitted }, field, sendButton);
  field.value = sessionStorage.getItem(DRAFT) ?? "";
  drawSendButton();
  return { transcript, composer };
}

/** Whether a key press belongs to an input method: Enter then chooses a word and sends nothing. */
export function isComposing(event) {
  return event.isComposing || event.keyCode === 229;
}

function keyInField(event) {
  if (isComposing(event)) return;
  if (event.key === "Enter" && !event.shiftKey) {
    event.preventDefault();
    composer.requestSubmit();
  } else if (event.key === "ArrowUp" && !field.value) {
    event.preventDefault();
    editLast();
  }
}

function fieldChanged() {
  sessionStorage.setItem(DRAFT, field.value);
  grow(field);
}

function grow(area) {
  if (CSS.supports("field-sizing", "content")) return;
  area.style.height = "auto";
  area.style.height = `${area.scrollHeight}px`;
}

function submitted(event) {
  event.preventDefault();
  if (running) {
    stop();
    return;
  }
  const question = field.value.trim();
  if (!question) return;
  field.value = "";
  fieldChanged();
  ask(question);
}

function drawSendButton() {
  const label = running ? t("chat.stop") : t("chat.send");
  fill(sendButton, icon(running ? "stop" : "send"));
  sendButton.setAttribute("aria-label", label);
  sendButton.title = label;
  sendButton.classList.toggle("running", Boolean(running));
}

/** Stops the turn that is running. */
export function stop() {
  running?.controller.abort();
}

export function isRunning() {
  return running !== null;
}

export function focusQuestion() {
  field.focus();
}

/** The address of the open conversation's shown path changes nothing else: draws it anew. */
export function drawConversation() {
  const turns = path(state.conversation);
  shownFrom = Math.max(0, turns.length - SHOWN);
  draw(turns);
  transcript.parentElement.scrollTop = transcript.parentElement.scrollHeight;
}

function draw(turns = path(state.conversation)) {
  if (!turns.length) {
    fill(transcript, welcome());
    return;
  }
  const earlier = shownFrom > 0 && h("button", { type: "button", class: "earlier", onclick: showEarlier }, t("chat.earlier", { count: shownFrom }));
  fill(transcript, earlier, turns.slice(shownFrom).map(turnElement));
}

function showEarlier() {
  const first = transcript.querySelector(".turn");
  shownFrom = Math.max(0, shownFrom - SHOWN);
  draw();
  const same = transcript.querySelector(`[data-turn="${CSS.escape(first.dataset.turn)}"]`);
  same.scrollIntoView({ block: "start" });
  same.focus();
}

function welcome() {
  const index = state.indexes.find((one) => one.name === state.index);
  const facts = index && [
    t("welcome.documents", { count: index.documents }),
    t("welcome.passages", { count: index.passages }),
    listed(index.languages.map(languageName)),
  ].filter(Boolean);
  return h("div", { class: "welcome" },
    h("img", { src: "/page/icons/anaphora.svg", alt: "", width: "56", height: "56" }),
    h("h2", {}, t("welcome.title")),
    index ? h("p", {}, h("bdi", {}, index.name), " · ", facts.join(" · ")) : h("p", {}, t("welcome.no_index")),
    index?.detail && h("p", { class: "failed", dir: "auto" }, index.detail),
    h("p", { class: "hint" }, t("welcome.hint")),
    h("p", { class: "hint keys" }, h("kbd", {}, "?"), ` ${t("welcome.keys")}`));
}

// A turn

const elements = new Map(); // turn -> its element

function turnElement(turn) {
  const element = h("article", { class: "turn", "data-turn": turn.id, tabindex: "-1" });
  elements.set(turn, element);
  drawTurn(turn);
  return element;
}

function drawTurn(turn) {
  const element = elements.get(turn);
  if (!element) return;
  element.dataset.turn = turn.id;
  element.setAttribute("aria-label", t("chat.turn", { question: turn.question.slice(0, 80) }));
  element.setAttribute("aria-busy", String(turn.state === "running"));
  fill(element, turn.editing ? editor(turn) : questionPart(turn), answerPart(turn));
}

function questionPart(turn) {
  const others = alternatives(state.conversation, turn);
  const at = others.indexOf(turn);
  const step = (label, name, by) => iconButton(name, label, () => switchTo(others[at + by], name), { disabled: !others[at + by] || Boolean(running), "data-step": name });
  return h("div", { class: "asked" },
    h("h2", { class: "question", dir: "auto" }, turn.question),
    h("div", { class: "question-tools" },
      others.length > 1 && h("span", { class: "branches", role: "group", "aria-label": t("chat.branches") },
        step(t("chat.previous_branch"), "previous", -1),
        h("span", { class: "count", "aria-label": t("chat.branch", { number: at + 1, total: others.length }) }, `${at + 1}/${others.length}`),
        step(t("chat.next_branch"), "next", 1)),
      !page.readOnly() && turn.state !== "running" && iconButton("edit", t("chat.edit"), () => edit(turn))));
}

function switchTo(turn, name) {
  choose(state.conversation, turn);
  let following = turn;
  for (;;) {
    // Below a fork, its newest branch.
    const next = state.conversation.turns.filter((one) => one.parent === following.id).at(-1);
    if (!next) break;
    following = next;
  }
  choose(state.conversation, following);
  draw();
  const element = elements.get(turn);
  element.scrollIntoView({ block: "nearest" });
  (element.querySelector(`[data-step="${name}"]:not(:disabled)`) ?? element.querySelector("[data-step]:not(:disabled)"))?.focus();
}

function editor(turn) {
  const area = h("textarea", { rows: "2", dir: "auto", maxlength: String(LONGEST), "aria-label": t("chat.edited"), value: turn.question, oninput: () => grow(area) });
  const close = () => {
    turn.editing = false;
    drawTurn(turn);
    elements.get(turn).focus();
  };
  const form = h("form", {
    class: "editor",
    onsubmit: (event) => {
      event.preventDefault();
      const question = area.value.trim();
      if (!question || running) return;
      turn.editing = false;
      ask(question, { parent: turn.parent });
      focusQuestion();
    },
  },
  area,
  h("div", { class: "buttons" }, h("button", { type: "button", onclick: close }, t("dialog.cancel")), h("button", { type: "submit", class: "primary" }, t("chat.ask_again"))));
  area.addEventListener("keydown", (event) => {
    if (isComposing(event)) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      form.requestSubmit();
    } else if (event.key === "Escape") {
      event.stopPropagation();
      close();
    }
  });
  return form;
}

function edit(turn) {
  if (page.readOnly() || turn.state === "running") return;
  turn.editing = true;
  drawTurn(turn);
  const area = elements.get(turn).querySelector("textarea");
  grow(area);
  area.focus();
  area.setSelectionRange(area.value.length, area.value.length);
}

/** Opens the last question for editing. */
export function editLast() {
  const turn = path(state.conversation).at(-1);
  if (turn && !running) edit(turn);
}

function answerPart(turn) {
  const open = (citation) => page.openSource(turn, citation);
  const part = h("div", { class: "answered" });
  if (turn.state === "done") fill(part, doneAnswer(turn, open));
  else {
    fill(part,
      turn.text && h("div", { class: "answer-body" }, plainText(turn.text, turn.citations, open)),
      turn.state === "running" && h("p", { class: "status" }, h("span", { class: "pulse", "aria-hidden": "true" }), h("span", {}, turn.status)),
      turn.state === "stopped" && h("p", { class: "status" }, t("chat.stopped"), retryButton(turn)),
      turn.state === "failed" && failure(turn));
  }
  return part;
}

function failure(turn) {
  return h("div", { class: "failed-box", role: "alert" },
    h("p", { dir: "auto" }, sentenceOf(turn.problem)),
    turn.waiting > 0 && h("p", { class: "hint" }, t("chat.retrying", { count: turn.waiting })),
    retryButton(turn));
}

function retryButton(turn) {
  return h("button", { type: "button", class: "retry", onclick: () => again(turn) }, icon("retry"), t("chat.retry"));
}

function again(turn) {
  if (running) return;
  clearInterval(turn.timer);
  const { conversation } = state;
  conversation.turns.splice(conversation.turns.indexOf(turn), 1);
  elements.delete(turn);
  ask(turn.question, { parent: turn.parent, overrides: turn.overrides, retries: turn.retries });
}

function doneAnswer(turn, open) {
  const { answer } = turn;
  if (isCourtesy(answer)) return [answerBody(answer, open)];
  const sure = certainty(answer);
  const sources = !answer.abstained && answer.citations.length > 0;
  const notes = [answer.cut, answer.writing?.fallback && t("answer.fallback", { reason: answer.writing.fallback }), ...(answer.writing?.notes ?? [])].filter(Boolean);
  return [
    answer.rewrite && answer.rewrite !== answer.question && h("p", { class: "rewrite" }, `${t("answer.searched")} `, h("bdi", {}, answer.rewrite)),
    answerBody(answer, open),
    answer.second_reading && !page.readOnly() && h("button", { type: "button", class: "reading", onclick: () => running || ask(answer.second_reading, { parent: turn.parent }) },
      h("span", {}, t("answer.did_you_mean")), " ", h("bdi", {}, answer.second_reading)),
    sources && sourceList(answer, open),
    answer.other_sections?.length > 0 && otherSections(answer, open),
    notes.length > 0 && h("ul", { class: "notes" }, notes.map((note) => h("li", { dir: "auto" }, note))),
    h("div", { class: "answer-tools" },
      h("span", { class: `certainty ${sure}`, title: t("answer.confidence", { percent: Math.round(100 * answer.confidence) }) }, t(`certainty.${sure}`)),
      isWritten(answer) && h("span", { class: "hint" }, t("answer.written", { model: answer.writing.model })),
      h("span", { class: "space" }),
      iconButton("copy", t("answer.copy"), async () => {
        await copyText(asText(answer));
        announce(t("answer.copied"));
      }),
      answer.conversation && !page.readOnly() && feedbackButtons(turn),
      iconButton("inspect", t("answer.inspect"), () => page.inspect(turn))),
  ];
}

/** Opens the inspector for a turn, with what can be done from there. */
export async function inspect(turn) {
  const answer = await traced(turn);
  const request = (overrides) => ({ ...body(turn.question, turn.parent), ...overrides });
  await page.openInspector(answer, {
    async ask({ question = turn.question, ...overrides }) {
      if (running) return;
      closePanel();
      await ask(question, { parent: turn.parent, overrides });
    },
    compare: (overrides) => {
      // Not stored: the conversation stays as it is.
      const { conversation, parent, ...rest } = request(overrides);
      return call("POST", "ask", { ...rest, history: historyBefore(state.conversation, turn.parent), store: false });
    },
    feedback: (form) => sendFeedback(turn, form),
    attribute: (form) => {
      const history = answer.trace.turns.slice(0, -1).map(({ role, text }) => ({ role, text }));
      const { index, configuration } = answer;
      return call("POST", "attribution", { question: turn.question, history, index, configuration, ...form });
    },
    open: (citation) => page.openSource(turn, citation),
  });
}

async function traced(turn) {
  if (turn.answer.trace) return turn.answer;
  const { conversation } = turn.answer;
  if (conversation) turn.answer.trace = await call("GET", `conversations/${conversation}/turns/${turn.id}/trace`);
  return turn.answer;
}

/** The turn that has the focus, or else the last one with an answer. */
export function currentTurn() {
  const turns = path(state.conversation).filter((turn) => turn.answer);
  const focused = document.activeElement?.closest(".turn")?.dataset.turn;
  return turns.find((turn) => turn.id === focused) ?? turns.at(-1);
}

/** Moves the focus to the turn before or after the one that has it. */
export function moveTurn(by) {
  const all = [...transcript.querySelectorAll(".turn")];
  const at = all.indexOf(document.activeElement?.closest(".turn"));
  const next = at < 0 ? all.at(by > 0 ? 0 : -1) : all[at + by];
  next?.focus();
  next?.scrollIntoView({ block: "start" });
}

// Asking

function body(question, parent) {
  const { conversation } = state;
  const request = { question, index: state.index || undefined, configuration: state.configuration, trace: true };
  if (conversation.id) return { ...request, conversation: conversation.id, parent };
  const history = historyBefore(conversation, parent);
  return history.length ? { ...request, history } : request; // a server that stores nothing
}

/**
 * Asks a question after a turn: by default the last one shown.
 *
 * With an earlier `parent` the question begins another branch. `overrides` are fields of the
 * request, such as { pinned: [id] }.
 */
export async function ask(question, { parent, overrides = {}, retries = 0 } = {}) {
  if (running) return;
  const { conversation } = state;
  const shown = path(conversation).filter((turn) => turn.state === "done");
  const turn = {
    id: `new-${(counter += 1)}`, parent: parent === undefined ? (shown.at(-1)?.id ?? null) : parent, question, overrides, retries,
    answer: null, state: "running", status: t("status.asking"), text: "", citations: [], waiting: 0,
  };
  conversation.turns.push(turn);
  choose(conversation, turn);
  running = { turn, controller: new AbortController() };
  drawSendButton();
  draw();
  reveal(turn);
  try {
    await receive(conversation, turn, running.controller.signal);
  } catch (error) {
    if (error.name === "AbortError") turn.state = "stopped";
    else fail(turn, error instanceof Problem ? error : new Problem(500, t("error.unknown")));
    if (!(error instanceof Problem) && error.name !== "AbortError") console.error(error);
  }
  running = null;
  drawSendButton();
  if (state.conversation !== conversation) return;
  draw();
  reveal(turn);
  announce(outcome(turn));
}

function outcome(turn) {
  if (turn.state === "stopped") return t("chat.stopped");
  if (turn.state === "failed") return sentenceOf(turn.problem);
  if (isCourtesy(turn.answer)) return turn.answer.answer;
  return `${t("chat.answered")} ${t(`certainty.${certainty(turn.answer)}`)} ${t("chat.sources", { count: turn.answer.citations.length })}`;
}

async function receive(conversation, turn, signal) {
  const request = { ...body(turn.question, turn.parent), ...turn.overrides };
  let drawn = false;
  const later = () => {
    if (drawn) return;
    drawn = true;
    requestAnimationFrame(() => {
      drawn = false;
      if (turn.state === "running") elements.get(turn)?.querySelector(".answered")?.replaceWith(answerPart(turn));
    });
  };
  for await (const { event, data } of events("POST", "ask", request, { signal })) {
    if (event === "done") {
      finish(conversation, turn, data);
      return;
    }
    if (event === "delta") turn.text += data.text;
    else if (event === "citation") turn.citations[data.number - 1] = data;
    else if (event === "queued") turn.status = t("status.queued", { count: data.ahead });
    else if (event === "understood") turn.status = t("status.rewriting");
    else if (event === "rewrite") turn.status = t("status.searching");
    else if (event === "hits") turn.status = data.stage === "retrieve" ? t("status.ranking", { count: data.hits.length }) : t("status.reading");
    else if (event === "checked") turn.status = t("status.checking");
    later();
  }
  throw new Problem(0, "");
}

function finish(conversation, turn, answer) {
  turn.answer = answer;
  turn.state = "done";
  if (answer.turn) renameTurn(conversation, turn, answer.turn);
  if (answer.conversation && conversation.id !== answer.conversation) {
    conversation.id = answer.conversation;
    conversation.title ||= turn.question;
  }
  conversation.title ||= turn.question;
  page.answered(conversation);
}

function fail(turn, problem) {
  turn.state = "failed";
  turn.problem = problem;
  if (problem.status !== 429 || turn.retries >= RETRIES) return;
  // The server said when to come back.
  turn.retries += 1;
  turn.waiting = Math.ceil(problem.wait ?? 2 ** turn.retries);
  turn.timer = setInterval(() => {
    turn.waiting -= 1;
    if (!elements.get(turn)?.isConnected || running) clearInterval(turn.timer);
    else if (turn.waiting > 0) elements.get(turn).querySelector(".failed-box .hint").textContent = t("chat.retrying", { count: turn.waiting });
    else again(turn);
  }, 1000);
}

function reveal(turn) {
  const element = elements.get(turn);
  if (!element?.isConnected) return;
  const long = element.offsetHeight > transcript.parentElement.clientHeight - 40;
  element.scrollIntoView({ block: long ? "start" : "nearest" });
}
